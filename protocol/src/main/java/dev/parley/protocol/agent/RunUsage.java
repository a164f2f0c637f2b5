package dev.parley.protocol.agent;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The tokens and cost of one model request of a run; null where the provider did not report them.
 *
 * @param cost by the price list of the configuration; null for a model without a price
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
