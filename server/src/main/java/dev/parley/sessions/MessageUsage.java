package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.protocol.Json;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a message's metrics say.
 *
 * @param counts the counts of tokens by Agno's names for them, as JSON; null if there are none
 * @param cost as its provider reports it, or by the price list
 */
public record MessageUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String counts,
        @Nullable BigDecimal cost,
        @Nullable String currency) {

    public static final MessageUsage NONE = new MessageUsage(null, null, null, null, null);

    /** A provider's own report of the cost counts; without one, the price list does, for a model that is named. */
    static MessageUsage of(JsonNode metrics, @Nullable String provider, @Nullable String model, Prices prices) {
        Long input = AgnoTokens.count(metrics.path("input_tokens"));
        Long output = AgnoTokens.count(metrics.path("output_tokens"));
        String counts = counts(metrics);
        Optional<BigDecimal> reported = AgnoTokens.cost(metrics);
        if (reported.isPresent()) {
            return new MessageUsage(input, output, counts, reported.get(), AgnoTokens.REPORTED_CURRENCY);
        }
        Optional<ModelRequests.Usage> priced =
                AgnoTokens.in(metrics).map(tokens -> tokens.priced(provider, model, prices));
        return new MessageUsage(
                input,
                output,
                counts,
                priced.map(ModelRequests.Usage::cost).orElse(null),
                priced.map(ModelRequests.Usage::currency).orElse(null));
    }

    /** Only by the names that are summed: a name of the client's own may hold what the database cannot read. */
    private static @Nullable String counts(JsonNode metrics) {
        ObjectNode counts = Json.MAPPER.createObjectNode();
        for (String name : SessionSpending.COUNTS) {
            Long count = AgnoTokens.count(metrics.path(name));
            if (count != null) {
                counts.put(name, count);
            }
        }
        return counts.isEmpty() ? null : Json.MAPPER.writeValueAsString(counts);
    }
}
