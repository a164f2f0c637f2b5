package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The token counts in a metrics object of Agno; null for a missing count. */
record AgnoTokens(
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {
    /** The currency in which providers report a cost; Agno converts none. */
    static final String REPORTED_CURRENCY = "USD";

    private static final AgnoTokens NONE = new AgnoTokens(null, null, null, null);
    /** The limit of a cost. A double has no more significant digits before its point. */
    private static final BigDecimal TOO_MUCH = BigDecimal.ONE.movePointRight(15);

    private static final BigDecimal MAX_TOKENS = BigDecimal.valueOf(Long.MAX_VALUE);

    /** The token counts; empty if the metrics contain neither tokens nor a cost. */
    static Optional<AgnoTokens> in(JsonNode metrics) {
        AgnoTokens tokens = new AgnoTokens(
                count(metrics, "input_tokens"),
                count(metrics, "output_tokens"),
                count(metrics, "cache_read_tokens"),
                count(metrics, "reasoning_tokens"));
        return tokens.equals(NONE) && cost(metrics).isEmpty() ? Optional.empty() : Optional.of(tokens);
    }

    /** The cost that the provider reports. */
    static Optional<BigDecimal> cost(JsonNode metrics) {
        JsonNode cost = metrics.path("cost");
        return isCounting(cost) && cost.decimalValue().compareTo(TOO_MUCH) < 0
                ? Optional.of(BigDecimal.valueOf(cost.doubleValue()))
                : Optional.empty();
    }

    /** The tokens with their cost by the price list, which has no price for an unnamed model. */
    ModelRequests.Usage priced(@Nullable String provider, @Nullable String model, Prices prices) {
        return prices.reported(provider, model, input, output, cached, reasoning);
    }

    /**
     * The value of a count; null if the JSON is no count. A wrong or too large count never causes the refusal of a
     * message or the end of a run.
     */
    static @Nullable Long count(JsonNode number) {
        // The number is not read as a double, because JSON has numbers that no double can represent.
        return isCounting(number) ? number.decimalValue().min(MAX_TOKENS).longValue() : null;
    }

    private static boolean isCounting(JsonNode number) {
        return number.isNumber() && number.decimalValue().signum() >= 0;
    }

    private static @Nullable Integer count(JsonNode metrics, String member) {
        Long count = count(metrics.path(member));
        return count == null ? null : (int) Math.min(count, Integer.MAX_VALUE);
    }
}
