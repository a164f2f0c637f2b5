/** The benchmark of runs in its short form. */
@NullMarked
package dev.parley.bench.runs;

import org.jspecify.annotations.NullMarked;
