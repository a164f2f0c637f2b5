package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a model request. Input and output are totals, and the reasoning and cache counts are parts of these
 * totals. An unknown count is absent, never 0.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenUsage(
        @Nullable String provider,
        @Nullable String model,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable Long totalTokens,
        @Nullable Long reasoningTokens,
        @Nullable Long cachedInputTokens,
        @Nullable Long cacheWriteInputTokens) {}
