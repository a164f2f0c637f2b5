/** The benchmark of turns in its short form. */
@NullMarked
package dev.parley.bench.turns;

import org.jspecify.annotations.NullMarked;
