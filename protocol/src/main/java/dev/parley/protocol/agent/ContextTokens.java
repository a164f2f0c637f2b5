package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/** How many tokens a request took: by our own estimate before, and as its provider counted them afterwards. */
public record ContextTokens(
        int estimated,
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {}
