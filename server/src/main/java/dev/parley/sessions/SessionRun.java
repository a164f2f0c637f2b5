package dev.parley.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run as its session's client knows it.
 *
 * @param status of a streamed run what the log says, else what its document says; null if nobody said anything
 * @param messages how many the client has brought that name it
 * @param inputTokens null if nothing is known of what it used, or its team's run counts it
 * @param cost null if no price is known, or there are prices of several currencies
 * @param version of its document; 0 if there is none
 * @param number its place among the runs of the session
 */
public record SessionRun(
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
        long number,
        Instant createdAt,
        Instant updatedAt) {}
