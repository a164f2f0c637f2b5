package dev.parley.sdk;

import dev.parley.protocol.chat.LegacyPrefix;
import org.jspecify.annotations.Nullable;

/**
 * Shortens old messages for display, because integrations once put the sender in front of the text. This class is to be
 * removed after the third quarter of 2026.
 */
public final class LegacyText {
    private LegacyText() {}

    /**
     * The content without the prefix that its source once put in front; an empty text if the content is null. Use this
     * only for messages whose metadata has {@code legacy_prefix: true}, because in other messages the sender typed the
     * prefix.
     */
    public static String stripLegacyIngestPrefix(@Nullable String content, @Nullable String source) {
        return LegacyPrefix.strip(content, source);
    }
}
