package dev.parley.erasure;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A step of an erasure that must not run beside an append: it goes through the thread's lane. */
sealed interface ErasureStep extends Effect {
    /** May remove the title and names. */
    @Override
    default boolean changesFacts() {
        return true;
    }

    /**
     * Erases the content of entries.
     *
     * @param to the seq up to which entries are done afterwards
     * @param alone the actor that must still be the only person of the thread; null if that does not matter
     * @param lastSeq of the thread, set by the lane
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
        public Effect at(Head head) {
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
