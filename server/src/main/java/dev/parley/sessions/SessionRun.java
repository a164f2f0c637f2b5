package dev.parley.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run in the view of its session's client.
 *
 * @param status of a streamed run as the log has it, else as its document has it; null if neither does
 * @param messages the number of the client's messages that name the run
 * @param inputTokens null if its usage is unknown, or counted with its team's run
 * @param cost null if no price is known, or there are prices of several currencies
 * @param version of its document; 0 if there is none
 * @param number its number among the runs of the session
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
