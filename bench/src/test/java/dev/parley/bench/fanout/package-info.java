/** The fan-out benchmark in its short form. */
@NullMarked
package dev.parley.bench.fanout;

import org.jspecify.annotations.NullMarked;
