package dev.parley.sdk;

import dev.parley.protocol.chat.LegacyPrefix;
import org.jspecify.annotations.Nullable;

/**
 * Shows messages of the time when integrations put the sender in front of the text. For display only; to be removed
 * after the third quarter of 2026.
 */
public final class LegacyText {
    private LegacyText() {}

    /**
     * The content without the prefix that its source once put there; an empty text if the content is null. Only for
     * messages whose metadata has {@code legacy_prefix: true}: in other messages the sender typed it.
     */
    public static String stripLegacyIngestPrefix(@Nullable String content, @Nullable String source) {
        return LegacyPrefix.strip(content, source);
    }
}
