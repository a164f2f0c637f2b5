package dev.parley.protocol.agui;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the usage that a run reports. A mistake in the usage is no fault, because a fault would refuse the run's end.
 * An invalid count becomes unknown, and an invalid item is left out.
 */
final class UsageReader {
    private UsageReader() {}

    static List<TokenUsage> usage(@Nullable JsonNode reported) {
        List<TokenUsage> read = new ArrayList<>();
        if (reported != null && reported.isArray()) {
            for (JsonNode item : reported) {
                if (item.isObject()) {
                    read.add(item(item));
                }
            }
        }
        return read;
    }

    private static TokenUsage item(JsonNode item) {
        return new TokenUsage(
                name(item.path("provider")),
                name(item.path("model")),
                count(item.path("inputTokens")),
                count(item.path("outputTokens")),
                count(item.path("totalTokens")),
                count(item.path("reasoningTokens")),
                count(item.path("cachedInputTokens")),
                count(item.path("cacheWriteInputTokens")));
    }

    private static @Nullable String name(JsonNode given) {
        return given.isString() ? given.stringValue() : null;
    }

    private static @Nullable Long count(JsonNode given) {
        return CheckedNode.isWhole(given, 0) ? given.longValue() : null;
    }
}
