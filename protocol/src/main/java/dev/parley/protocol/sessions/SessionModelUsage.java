package dev.parley.protocol.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The tokens of one model, and their cost in one currency.
 *
 * @param model null if the usage names no model
 * @param cost null if no price is known
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionModelUsage(
        @Nullable String model,
        @Nullable String provider,
        BigInteger inputTokens,
        BigInteger outputTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
