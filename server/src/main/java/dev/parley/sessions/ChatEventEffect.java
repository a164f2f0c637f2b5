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
     * A chat event that arrives with its message. The seq is known once the message is placed.
     *
     * @param draftId the message's id if its wished id is taken
     * @param unstreamed true if the event becomes a new message because no streamed run with its run id was found
     */
    record Brought(ThreadId thread, ChatEventRow row, String draftId, boolean unstreamed) implements ChatEventEffect {
        /** True if the message of the chat event may have this id. */
        boolean mayBecome(String messageId) {
            return messageId.equals(row.messageId()) || messageId.equals(draftId);
        }
    }

    /** A chat event whose message has been placed. */
    record Placed(ThreadId thread, ChatEventRow row, long seq, Instant createdAt) implements ChatEventEffect {}

    /**
     * The state of a message when the message was chosen for a chat event. The choice is valid as long as the state is
     * the same.
     *
     * @param taken true if another chat event was stored beside the message
     * @param seenTo the last seq whose entry was certainly seen
     */
    record Sight(boolean taken, long seenTo) {}

    /**
     * A chat event for a message that is in the log already.
     *
     * @param covers the further messages that the chat event represents
     */
    record Beside(ThreadId thread, ChatEventRow row, long seq, List<Long> covers, Sight sight, Instant createdAt)
            implements ChatEventEffect {
        @Override
        public boolean repeatable() {
            return true;
        }

        @Override
        public Beside at(Head head, Instant time) {
            return new Beside(thread, row, seq, covers, sight, head.lastCreatedAt());
        }
    }
}
