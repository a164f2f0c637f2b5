/** Platforms without an adapter: agents' messages are posted to a relay, a program that an operator runs. */
@NullMarked
package dev.parley.platforms.relay;

import org.jspecify.annotations.NullMarked;
