package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/**
 * The number of tokens of a model request: the server's estimate before the request, and the provider's counts after
 * it.
 */
public record ContextTokens(
        int estimated,
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {}
