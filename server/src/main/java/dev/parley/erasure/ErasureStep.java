package dev.parley.erasure;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A step of an erasure that must not meet an append: it goes through the thread's lane. */
sealed interface ErasureStep extends Effect {
    /** The title may go, and names. */
    @Override
    default boolean changesFacts() {
        return true;
    }

    /**
     * Some entries lose what they said.
     *
     * @param to the seq up to which entries are done then
     * @param alone who must still be the only person of the thread; null if that does not matter
     * @param lastSeq of the thread, once that is known
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

    /** Some entries lose their {@code thread_context}, since a message that it quotes is erased. */
    record Quotes(ThreadId thread, List<Long> seqs) implements ErasureStep {
        public Quotes {
            seqs = List.copyOf(seqs);
        }
    }

    /** The thread is done, unless more was said meanwhile that should go. */
    record Closing(ErasureTask work) implements ErasureStep {}
}
