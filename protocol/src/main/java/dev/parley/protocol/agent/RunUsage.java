package dev.parley.protocol.agent;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The tokens and cost of one model request of a run. A count is null if the provider did not report it.
 *
 * @param cost the cost by the configured price list; null for a model without a price
 */
public record RunUsage(
        int request,
        String provider,
        String model,
        @Nullable Integer inputTokens,
        @Nullable Integer outputTokens,
        @Nullable Integer cachedTokens,
        @Nullable Integer reasoningTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
