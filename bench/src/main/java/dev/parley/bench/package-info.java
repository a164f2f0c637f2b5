/** The command line of benchmarks and proofs. */
@NullMarked
package dev.parley.bench;

import org.jspecify.annotations.NullMarked;
