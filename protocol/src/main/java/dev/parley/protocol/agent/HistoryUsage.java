package dev.parley.protocol.agent;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The tokens and the cost of the model requests that made a message. A count is null if no provider reported it.
 *
 * @param cost null if no price is known, or if the requests were paid in several currencies
 */
public record HistoryUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable Long cachedTokens,
        @Nullable Long reasoningTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
