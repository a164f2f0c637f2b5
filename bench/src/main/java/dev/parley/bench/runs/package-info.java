/** How many runs and reads a second are held, by one node or several, and what each of them costs. */
@NullMarked
package dev.parley.bench.runs;

import org.jspecify.annotations.NullMarked;
