/**
 * The nodes that share one database: that each of them is alive, by the database's clock, what it says of itself, and
 * whether they agree on what they must have in common. Knows no feature.
 */
@NullMarked
package dev.parley.nodes;

import org.jspecify.annotations.NullMarked;
