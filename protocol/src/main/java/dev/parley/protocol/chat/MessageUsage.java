package dev.parley.protocol.chat;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The tokens and the cost of the model requests that made a message. A count is null if no provider reported it.
 *
 * @param cost null if no price is known, or if the requests were paid in several currencies
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MessageUsage(
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable Long cachedTokens,
        @Nullable Long reasoningTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
