package dev.parley.erasure;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step of an erasure. The step goes through the thread's lane, because it must not run at the same time as an append.
 */
sealed interface ErasureStep extends Effect {
    /** Always true, because a step may remove the title and names. */
    @Override
    default boolean changesFacts() {
        return true;
    }

    /**
     * Erases the content of entries.
     *
     * @param to the seq up to which the thread's entries are done after this step
     * @param alone the actor that must still be the only person of the thread; null if that does not matter
     * @param lastSeq the last seq of the thread, which the lane sets
     */
    record Entries(
            UUID erasure,
            ThreadId thread,
            List<Long> seqs,
            long to,
            @Nullable Actor alone,
            long lastSeq) implements ErasureStep {
        public Entries {
            seqs = List.copyOf(seqs);
        }

        @Override
        public Effect at(Head head, Instant time) {
            return new Entries(erasure, thread, seqs, to, alone, head.lastSeq());
        }
    }

    /** Removes the {@code thread_context} of entries that quote an erased message. */
    record Quotes(ThreadId thread, List<Long> seqs) implements ErasureStep {
        public Quotes {
            seqs = List.copyOf(seqs);
        }
    }

    /** Marks the thread as done, unless entries to be erased were added meanwhile. */
    record Closing(ErasureTask work) implements ErasureStep {}
}
