/**
 * BlueBubbles, which connects iMessage on a Mac: the mapping of its webhooks and history, and the sending of messages.
 * BlueBubbles never repeats a webhook, so missed messages are read from the history.
 */
@NullMarked
package dev.parley.platforms.bluebubbles;

import org.jspecify.annotations.NullMarked;
