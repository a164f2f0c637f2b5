/** What idle viewers cost, how soon they are caught up after a restart, and how long starting takes. */
@NullMarked
package dev.parley.bench.viewers;

import org.jspecify.annotations.NullMarked;
