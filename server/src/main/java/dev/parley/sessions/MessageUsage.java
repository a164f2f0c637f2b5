package dev.parley.sessions;

import dev.parley.protocol.Json;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a message's metrics say.
 *
 * @param counts all counts of tokens by their names, as JSON; null if there are none
 * @param cost as its provider reports it
 */
public record MessageUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String counts,
        @Nullable BigDecimal cost,
        @Nullable String currency) {
    /** What providers report their costs in; Agno says nothing of it. */
    private static final String REPORTED_IN = "USD";

    private static final int MOST_COUNTS = 32;

    static MessageUsage of(JsonNode metrics) {
        ObjectNode counts = Json.MAPPER.createObjectNode();
        if (metrics.isObject()) {
            for (Map.Entry<String, JsonNode> each : metrics.properties()) {
                if (each.getKey().endsWith("_tokens") && count(each.getValue()) != null && counts.size() < MOST_COUNTS) {
                    counts.set(each.getKey(), each.getValue());
                }
            }
        }
        JsonNode cost = metrics.path("cost");
        boolean reported = cost.isNumber() && cost.decimalValue().signum() >= 0 && cost.decimalValue().precision() < 40;
        return new MessageUsage(
                count(metrics.path("input_tokens")),
                count(metrics.path("output_tokens")),
                counts.isEmpty() ? null : Json.MAPPER.writeValueAsString(counts),
                reported ? cost.decimalValue() : null,
                reported ? REPORTED_IN : null);
    }

    /** Whatever else stands there is in the message, and counts for nothing. */
    private static @Nullable Long count(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToLong() && node.asLong() >= 0 ? node.asLong() : null;
    }
}
