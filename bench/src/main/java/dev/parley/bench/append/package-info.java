/** The append benchmark: messages over HTTP against bare inserts into the same PostgreSQL. */
@NullMarked
package dev.parley.bench.append;

import org.jspecify.annotations.NullMarked;
