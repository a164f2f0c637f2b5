package dev.parley.protocol.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The usage of one model, at prices of one currency.
 *
 * @param model null for usage that names no model
 * @param cost null where no price is known
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionModelUsage(
        @Nullable String model,
        @Nullable String provider,
        BigInteger inputTokens,
        BigInteger outputTokens,
        @Nullable BigDecimal cost,
        @Nullable String currency) {}
