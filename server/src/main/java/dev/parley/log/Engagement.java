package dev.parley.log;

import dev.parley.protocol.Actor;

/**
 * Whether one agent of the thread should answer a message, decided when the message was committed and kept with it.
 *
 * @param reason why, or why not, in one word such as {@code mentioned} or {@code hop_limit}
 */
public record Engagement(Actor agent, boolean respond, String reason) {}
