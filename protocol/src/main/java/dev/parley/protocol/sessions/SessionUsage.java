package dev.parley.protocol.sessions;

import java.math.BigInteger;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Token counts, by Agno's names for them. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionUsage(
        BigInteger inputTokens,
        BigInteger outputTokens,
        BigInteger totalTokens,
        BigInteger audioInputTokens,
        BigInteger audioOutputTokens,
        BigInteger audioTotalTokens,
        BigInteger cacheReadTokens,
        BigInteger cacheWriteTokens,
        BigInteger reasoningTokens) {}
