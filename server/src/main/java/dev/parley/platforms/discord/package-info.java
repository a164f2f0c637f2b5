/**
 * Discord: signed interactions, gateway events from a relay, and the bot's messages. A thread of Discord is a channel
 * with an id of its own, and is treated as a channel.
 */
@NullMarked
package dev.parley.platforms.discord;

import org.jspecify.annotations.NullMarked;
