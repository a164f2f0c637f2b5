package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.protocol.Json;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a message's metrics say.
 *
 * @param counts all counts of tokens by their names, as JSON; null if there are none
 * @param cost as its provider reports it, or by the price list
 */
public record MessageUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String counts,
        @Nullable BigDecimal cost,
        @Nullable String currency) {
    private static final int MOST_COUNTS = 32;

    /** A provider's own report of the cost counts; without one, the price list does, for a model that is named. */
    static MessageUsage of(JsonNode metrics, @Nullable String provider, @Nullable String model, Prices prices) {
        Long input = count(metrics.path("input_tokens"));
        Long output = count(metrics.path("output_tokens"));
        String counts = counts(metrics);
        Optional<BigDecimal> reported = AgnoTokens.cost(metrics);
        if (reported.isPresent()) {
            return new MessageUsage(input, output, counts, reported.get(), AgnoTokens.REPORTED_CURRENCY);
        }
        Optional<ModelRequests.Usage> priced = model == null
                ? Optional.empty()
                : AgnoTokens.in(metrics)
                        .map(tokens -> prices.usage(
                                String.valueOf(provider).toLowerCase(Locale.ROOT),
                                model,
                                tokens.input(),
                                tokens.output(),
                                tokens.cached(),
                                tokens.reasoning()));
        return new MessageUsage(
                input,
                output,
                counts,
                priced.map(ModelRequests.Usage::cost).orElse(null),
                priced.map(ModelRequests.Usage::currency).orElse(null));
    }

    private static @Nullable String counts(JsonNode metrics) {
        ObjectNode counts = Json.MAPPER.createObjectNode();
        if (metrics.isObject()) {
            for (Map.Entry<String, JsonNode> each : metrics.properties()) {
                if (each.getKey().endsWith("_tokens")
                        && count(each.getValue()) != null
                        && counts.size() < MOST_COUNTS) {
                    counts.set(each.getKey(), each.getValue());
                }
            }
        }
        return counts.isEmpty() ? null : Json.MAPPER.writeValueAsString(counts);
    }

    /** Whatever else stands there is in the message, and counts for nothing. */
    private static @Nullable Long count(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToLong() && node.asLong() >= 0 ? node.asLong() : null;
    }
}
