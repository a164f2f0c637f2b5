package dev.parley.sessions;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;

/**
 * A change to the table of chat events, in the transaction of the messages themselves. No agent answers a chat event.
 */
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
     * Arrives with its message; its seq is known once the message is placed.
     *
     * @param draftId the message's id if its wished id is taken
     * @param unstreamed true if it comes as a message because no run of its name was seen
     */
    record Brought(ThreadId thread, ChatEventRow row, String draftId, boolean unstreamed) implements ChatEventEffect {
        /** True if its message may have this id. */
        boolean mayBecome(String messageId) {
            return messageId.equals(row.messageId()) || messageId.equals(draftId);
        }
    }

    /** Its message has been placed. */
    record Placed(ThreadId thread, ChatEventRow row, long seq, Instant createdAt) implements ChatEventEffect {}

    /**
     * The state of a message when it was chosen as a target; the choice stands while this state does.
     *
     * @param taken true if another chat event stood beside the message
     * @param seenTo the last seq whose entry was surely seen
     */
    record Sight(boolean taken, long seenTo) {}

    /**
     * Belongs to a message that is in the log already.
     *
     * @param covers further messages that it represents
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
