package dev.parley.delivery;

/**
 * A place of a chat platform where answers go. What the platform does not have is the empty text.
 *
 * @param workspace the platform's team, guild or tenant
 * @param thread the platform's own thread within the channel
 */
public record ReplyTarget(String source, String workspace, String channel, String thread) {}
