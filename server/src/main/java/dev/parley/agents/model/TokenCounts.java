package dev.parley.agents.model;

import org.jspecify.annotations.Nullable;

/**
 * Tokens as a provider counted them; null for counts that it omits.
 *
 * @param input all input tokens, cached or not
 * @param output all output tokens, with reasoning
 */
record TokenCounts(
        @Nullable Integer input,
        @Nullable Integer output,
        @Nullable Integer cached,
        @Nullable Integer reasoning) {
    static final TokenCounts UNKNOWN = new TokenCounts(null, null, null, null);

    /** The later counts. A later count that is null is replaced by the count of this object. */
    TokenCounts updatedBy(TokenCounts later) {
        return new TokenCounts(
                later.input == null ? input : later.input,
                later.output == null ? output : later.output,
                later.cached == null ? cached : later.cached,
                later.reasoning == null ? reasoning : later.reasoning);
    }

    /** The sum over two attempts at the same request. */
    TokenCounts plus(TokenCounts second) {
        return new TokenCounts(
                sum(input, second.input),
                sum(output, second.output),
                sum(cached, second.cached),
                sum(reasoning, second.reasoning));
    }

    static @Nullable Integer sum(@Nullable Integer first, @Nullable Integer second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        // Clamped, so that absurdly large counts of a provider do not fail the run.
        return Math.clamp((long) first + second, 0, Integer.MAX_VALUE);
    }

    boolean areUnknown() {
        return equals(UNKNOWN);
    }
}
