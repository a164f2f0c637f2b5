package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.protocol.Json;
import dev.parley.runs.AnswerUsage;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tokens and the cost of a message, from its metrics or summed over the requests that made it.
 *
 * @param counts the counts of tokens by Agno's names, as JSON; null if there are none
 * @param cost the cost that the provider reports, or else the cost by the price list
 */
public record MessageUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable String counts,
        @Nullable BigDecimal cost,
        @Nullable String currency) {

    static final MessageUsage NONE = new MessageUsage(null, null, null, null, null);

    /** The usage of a message that Parley wrote: the sum of the requests that made it. */
    static MessageUsage of(@Nullable AnswerUsage used) {
        return used == null
                ? NONE
                : new MessageUsage(used.inputTokens(), used.outputTokens(), counts(used), used.cost(), used.currency());
    }

    boolean isNone() {
        return equals(NONE);
    }

    /** The metrics for an Agno message. A cost is included only in US dollars. Empty if nothing is known. */
    Optional<ObjectNode> metrics() {
        ObjectNode metrics =
                counts == null ? Json.MAPPER.createObjectNode() : (ObjectNode) Json.MAPPER.readTree(counts);
        if (cost != null && AgnoTokens.REPORTED_CURRENCY.equals(currency)) {
            metrics.put("cost", cost);
        }
        return metrics.isEmpty() ? Optional.empty() : Optional.of(metrics);
    }

    private static @Nullable String counts(AnswerUsage used) {
        ObjectNode counts = Json.MAPPER.createObjectNode();
        put(counts, "input_tokens", used.inputTokens());
        put(counts, "output_tokens", used.outputTokens());
        if (used.inputTokens() != null && used.outputTokens() != null) {
            counts.put("total_tokens", used.inputTokens() + used.outputTokens());
        }
        put(counts, "cache_read_tokens", used.cachedTokens());
        put(counts, "reasoning_tokens", used.reasoningTokens());
        return counts.isEmpty() ? null : Json.MAPPER.writeValueAsString(counts);
    }

    private static void put(ObjectNode counts, String name, @Nullable Long count) {
        if (count != null) {
            counts.put(name, count);
        }
    }

    /** A cost that the provider reports takes precedence over the price list, which needs the model's name. */
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

    /** Keeps only the names that are summed, because another name may have a value that the database cannot read. */
    private static @Nullable String counts(JsonNode metrics) {
        ObjectNode counts = Json.MAPPER.createObjectNode();
        for (String name : SessionSpending.COUNTS) {
            put(counts, name, AgnoTokens.count(metrics.path(name)));
        }
        return counts.isEmpty() ? null : Json.MAPPER.writeValueAsString(counts);
    }
}
