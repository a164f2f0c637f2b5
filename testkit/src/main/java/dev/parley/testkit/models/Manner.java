package dev.parley.testkit.models;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a whole answer.
 *
 * @param stop the reason for the end in a provider's words; if empty, {@code reason} decides
 * @param reason null for the reason that fits the content
 * @param cutAfter the number of deltas before the connection is closed
 * @param silent true if the client gets no answer at all
 * @param refusal the refusal in place of the script's answer; null for no refusal
 */
record Manner(
        Usage usage,
        String stop,
        @Nullable Stop reason,
        int cutAfter,
        Duration pace,
        boolean silent,
        @Nullable Refusal refusal) {
    static final int NEVER = Integer.MAX_VALUE;
    static final Manner PLAIN = new Manner(Usage.UNTOLD, "", null, NEVER, Duration.ZERO, false, null);

    Manner usage(Usage changed) {
        return new Manner(changed, stop, reason, cutAfter, pace, silent, refusal);
    }

    Manner stop(String changed) {
        return new Manner(usage, changed, reason, cutAfter, pace, silent, refusal);
    }

    Manner reason(Stop changed) {
        return new Manner(usage, stop, changed, cutAfter, pace, silent, refusal);
    }

    Manner cutAfter(int changed) {
        return new Manner(usage, stop, reason, changed, pace, silent, refusal);
    }

    Manner pace(Duration changed) {
        return new Manner(usage, stop, reason, cutAfter, changed, silent, refusal);
    }

    Manner silent(boolean changed) {
        return new Manner(usage, stop, reason, cutAfter, pace, changed, refusal);
    }

    Manner refusal(Refusal changed) {
        return new Manner(usage, stop, reason, cutAfter, pace, silent, changed);
    }
}
