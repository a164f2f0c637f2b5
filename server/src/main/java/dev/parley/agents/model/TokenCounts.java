package dev.parley.agents.model;

import org.jspecify.annotations.Nullable;

/**
 * Tokens as a provider counted them; what it does not tell is null.
 *
 * @param input all of the input, cached or not
 * @param output all of the output, reasoning among it
 */
record TokenCounts(
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {
    static final TokenCounts UNKNOWN = new TokenCounts(null, null, null, null);

    /** What is told now, and for the rest what was told before. */
    TokenCounts updatedBy(TokenCounts later) {
        return new TokenCounts(
                later.input == null ? input : later.input,
                later.output == null ? output : later.output,
                later.cached == null ? cached : later.cached,
                later.reasoning == null ? reasoning : later.reasoning);
    }

    /** Of two tries at the same request. */
    TokenCounts plus(TokenCounts other) {
        return new TokenCounts(
                sum(input, other.input),
                sum(output, other.output),
                sum(cached, other.cached),
                sum(reasoning, other.reasoning));
    }

    static @Nullable Integer sum(@Nullable Integer one, @Nullable Integer other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        // A provider's numbers are its own affair: however large, they end no run.
        return Math.clamp((long) one + other, 0, Integer.MAX_VALUE);
    }

    boolean areUnknown() {
        return equals(UNKNOWN);
    }
}
