package dev.parley.ingest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of asking a platform for the messages before a delivered one. */
public sealed interface PlatformHistory {
    /**
     * The platform showed its messages.
     *
     * @param messages oldest first
     * @param leftOut number of messages between the first one and the rest that the platform has and the reader skipped
     * @param firstDeleted whether the message that the thread began with is deleted
     * @param problem why messages directly before the delivered one are missing; null if none are
     */
    record Read(
            List<EarlierMessage> messages,
            int leftOut,
            boolean firstDeleted,
            @Nullable String problem) implements PlatformHistory {
        public Read {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The platform showed nothing.
     *
     * @param problem a sentence for operators that gives no secret away
     * @param retryAfter the pause before the next attempt; null if the answer is final
     */
    record Unread(String problem, @Nullable Duration retryAfter) implements PlatformHistory {}

    /** Asks the platform. */
    interface Reader {
        /**
         * @param most messages wanted, the newest ones; the first one of the thread comes on top of them
         * @param limit for everything, pauses that the platform asks for included
         */
        PlatformHistory read(int most, Duration limit) throws InterruptedException;
    }
}
