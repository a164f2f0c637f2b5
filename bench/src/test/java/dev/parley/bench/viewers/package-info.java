/** The benchmark of viewers in its short form. */
@NullMarked
package dev.parley.bench.viewers;

import org.jspecify.annotations.NullMarked;
