package dev.parley.protocol.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A run as its session's client knows it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionRunView(
        String runId,
        @Nullable String parentRunId,
        @Nullable String agentId,
        @Nullable String agentName,
        @Nullable String teamName,
        @Nullable String status,
        @Nullable String model,
        @Nullable String modelProvider,
        long messages,
        @Nullable BigInteger inputTokens,
        @Nullable BigInteger outputTokens,
        @Nullable BigDecimal cost,
        @Nullable String costCurrency,
        long version,
        Instant createdAt,
        Instant updatedAt) {}
