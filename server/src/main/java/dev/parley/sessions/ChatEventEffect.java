package dev.parley.sessions;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;

/** What happens to the table of chat events, in the transaction of the messages themselves. Nobody answers any of it. */
sealed interface ChatEventEffect extends Effect {
    ThreadId thread();

    ChatEventRow row();

    @Override
    default boolean unanswered() {
        return true;
    }

    @Override
    default int weight() {
        return 500 + row().json().length();
    }

    /**
     * Comes with its message; where it belongs is known once that has its place.
     *
     * @param draftId the id that the message gets if another one has its own
     * @param unstreamed whether it comes as a message because no run of its name was seen
     */
    record Brought(ThreadId thread, ChatEventRow row, String draftId, boolean unstreamed) implements ChatEventEffect {
        /** Whether its message can have got this id. */
        boolean mayBecome(String messageId) {
            return messageId.equals(row.messageId()) || messageId.equals(draftId);
        }
    }

    /** Its message has its place. */
    record Placed(ThreadId thread, ChatEventRow row, long seq, Instant createdAt) implements ChatEventEffect {}

    /**
     * What whoever chose a message saw of it; it was chosen well if that still holds.
     *
     * @param taken whether another chat event stood beside it
     * @param seenTo the last seq whose entry was surely seen
     */
    record Sight(boolean taken, long seenTo) {}

    /**
     * Belongs to a message that is in the log already.
     *
     * @param covers further messages that it stands for
     */
    record Beside(ThreadId thread, ChatEventRow row, long seq, List<Long> covers, Sight sight, Instant createdAt)
            implements ChatEventEffect {
        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public Beside at(Head head) {
            return new Beside(thread, row, seq, covers, sight, head.lastCreatedAt());
        }
    }
}
