package dev.parley.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run in the view of its session's client.
 *
 * @param status the status by the log if the run was streamed, or else the status in the document; null if unknown
 * @param messages the number of the client's messages that name the run
 * @param inputTokens null if the run's usage is unknown, or is counted with the team's run
 * @param cost null if no price is known, or there are prices of several currencies
 * @param version the version of the document; 0 if there is no document
 * @param number the run's number among the runs of the session
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
