package dev.parley.threads;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.LegacyPrefix;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The first line of a message for titles and previews: shortened, and without a legacy prefix. */
final class Excerpt {
    private Excerpt() {}

    /**
     * @param metadata the message's metadata as JSON text, which marks content with a legacy prefix
     * @param characters the limit in code points
     */
    static String of(String content, @Nullable String metadata, int characters) {
        String line =
                withoutPrefix(content, metadata).strip().lines().findFirst().orElse("");
        return line.codePointCount(0, line.length()) <= characters
                ? line
                : line.substring(0, line.offsetByCodePoints(0, characters - 1)) + "…";
    }

    private static String withoutPrefix(String content, @Nullable String metadata) {
        // Few messages have the flag, so the metadata of other messages is not parsed.
        if (metadata == null || !metadata.contains("\"legacy_prefix\"")) {
            return content;
        }
        JsonNode known = Json.MAPPER.readTree(metadata);
        return known.path("legacy_prefix").asBoolean(false)
                ? LegacyPrefix.strip(content, known.path("source").asString(""))
                : content;
    }
}
