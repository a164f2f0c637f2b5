/** The sessions benchmark: the cost of a message in a long session, beside a short one. */
@NullMarked
package dev.parley.bench.sessions;

import org.jspecify.annotations.NullMarked;
