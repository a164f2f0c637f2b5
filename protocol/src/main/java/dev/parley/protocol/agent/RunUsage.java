package dev.parley.protocol.agent;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What one request of a run to its model cost; null where the provider did not tell.
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
