package dev.parley.sdk;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Shows texts of the time when integrations put the speaker in front of them, each in its own way. For display only; to
 * be removed after the third quarter of 2026.
 */
public final class LegacyText {
    private static final Map<String, Pattern> PREFIXES = Map.of(
            "slack", Pattern.compile("^\\[Slack channel:\\S+ user:[^\\]]+\\] ?"),
            "discord", Pattern.compile("^\\[Discord channel:\\S+ user:[^\\]]+\\] ?"),
            "bluebubbles", Pattern.compile("^\\[[^\\]]+\\]: ?"));

    private LegacyText() {}

    /**
     * The text without the prefix that its source once put there. Only for messages whose metadata says
     * {@code legacy_prefix: true}: others may begin like this because somebody typed it.
     */
    public static String stripLegacyIngestPrefix(String content, @Nullable String source) {
        Pattern prefix = source == null ? null : PREFIXES.get(source);
        return prefix == null ? content : prefix.matcher(content).replaceFirst("");
    }
}
