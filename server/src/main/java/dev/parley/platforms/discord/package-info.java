/**
 * Discord: signed interactions, gateway events that a small relay forwards, and the bot that answers. A thread of Discord
 * is a channel with an id of its own, and is treated as one.
 */
@NullMarked
package dev.parley.platforms.discord;

import org.jspecify.annotations.NullMarked;
