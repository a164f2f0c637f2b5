/** The runs benchmark: the rate of runs and reads that one or several nodes sustain, and the cost of each. */
@NullMarked
package dev.parley.bench.runs;

import org.jspecify.annotations.NullMarked;
