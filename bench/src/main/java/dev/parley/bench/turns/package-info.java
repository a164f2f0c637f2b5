/** The turns benchmark: the cost of a turn late in a conversation, beside one at its beginning. */
@NullMarked
package dev.parley.bench.turns;

import org.jspecify.annotations.NullMarked;
