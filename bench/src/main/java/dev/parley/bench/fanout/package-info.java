/** What a delivery to a viewer costs, beside a bare server that writes the same bytes. */
@NullMarked
package dev.parley.bench.fanout;

import org.jspecify.annotations.NullMarked;
