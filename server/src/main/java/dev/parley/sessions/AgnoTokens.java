package dev.parley.sessions;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tokens that one of Agno's metrics counts; what it leaves out is null. */
record AgnoTokens(
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {
    /** Providers that report a cost report it in this; Agno converts nothing. */
    static final String REPORTED_CURRENCY = "USD";

    private static final AgnoTokens NONE = new AgnoTokens(null, null, null, null);
    /** A double has no more digits before its point that mean anything. */
    private static final int MOST_DIGITS = 15;

    /** Empty if nothing is counted. */
    static Optional<AgnoTokens> in(JsonNode metrics) {
        AgnoTokens tokens = new AgnoTokens(
                count(metrics, "input_tokens"),
                count(metrics, "output_tokens"),
                count(metrics, "cache_read_tokens"),
                count(metrics, "reasoning_tokens"));
        return tokens.equals(NONE) && cost(metrics).isEmpty() ? Optional.empty() : Optional.of(tokens);
    }

    /** What a provider says it cost. */
    static Optional<BigDecimal> cost(JsonNode metrics) {
        JsonNode cost = metrics.path("cost");
        return cost.isNumber() && cost.doubleValue() >= 0 && cost.doubleValue() < Math.pow(10, MOST_DIGITS)
                ? Optional.of(BigDecimal.valueOf(cost.doubleValue()))
                : Optional.empty();
    }

    /** However large or wrong a number is, it ends no run. */
    private static @Nullable Integer count(JsonNode metrics, String member) {
        JsonNode number = metrics.path(member);
        return number.isNumber() ? (int) Math.clamp(number.doubleValue(), 0, Integer.MAX_VALUE) : null;
    }
}
