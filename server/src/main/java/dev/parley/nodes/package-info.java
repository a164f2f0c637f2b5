/**
 * The nodes that share one database: their leases by the database's clock, their load, and the settings that they must
 * share. Knows no feature.
 */
@NullMarked
package dev.parley.nodes;

import org.jspecify.annotations.NullMarked;
