/** The fan-out benchmark: the cost of a delivery to a viewer, beside a bare server that writes the same bytes. */
@NullMarked
package dev.parley.bench.fanout;

import org.jspecify.annotations.NullMarked;
