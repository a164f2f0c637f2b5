package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/** The number of tokens of a model request: our estimate before it, and the provider's count after it. */
public record ContextTokens(
        int estimated,
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {}
