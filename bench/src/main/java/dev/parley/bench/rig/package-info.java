/** The parts of benchmarks and proofs: server processes, users, CPU and disk measurements, flags and tables. */
@NullMarked
package dev.parley.bench.rig;

import org.jspecify.annotations.NullMarked;
