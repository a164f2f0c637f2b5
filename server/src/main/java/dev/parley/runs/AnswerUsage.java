package dev.parley.runs;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The tokens and the cost of the model requests for one message, summed. A count that no provider reported is null.
 *
 * @param cost null if there is no price, or if the requests were paid in several currencies
 */
public record AnswerUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable Long cachedTokens,
        @Nullable Long reasoningTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
