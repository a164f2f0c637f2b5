/** Platforms without an adapter here: what agents say is posted to a program that an operator runs for them. */
@NullMarked
package dev.parley.platforms.relay;

import org.jspecify.annotations.NullMarked;
