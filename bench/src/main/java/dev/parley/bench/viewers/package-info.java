/** The viewers benchmark: the cost of idle viewers, their catch-up after a restart, and the time of a start. */
@NullMarked
package dev.parley.bench.viewers;

import org.jspecify.annotations.NullMarked;
