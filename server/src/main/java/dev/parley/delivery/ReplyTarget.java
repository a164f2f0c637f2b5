package dev.parley.delivery;

/**
 * A target of answers on a chat platform. Components that the platform does not have are empty.
 *
 * @param workspace the platform's team, guild or tenant
 * @param thread the platform's own thread within the channel
 */
public record ReplyTarget(String source, String workspace, String channel, String thread) {}
