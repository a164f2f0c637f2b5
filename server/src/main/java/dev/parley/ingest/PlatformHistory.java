package dev.parley.ingest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of asking a platform for the messages before an inbound message. */
public sealed interface PlatformHistory {
    /**
     * The platform showed its messages.
     *
     * @param messages oldest first
     * @param skipped the messages between the first message and the rest that are left out
     * @param firstDeleted true if the message that the thread began with is deleted
     * @param problem the reason for missing messages directly before the inbound message; null if none are missing
     */
    record Read(
            List<EarlierMessage> messages,
            Skipped skipped,
            boolean firstDeleted,
            @Nullable String problem) implements PlatformHistory {
        public Read {
            messages = List.copyOf(messages);
        }

        /** All messages that the platform has. */
        static Read all(List<EarlierMessage> messages) {
            return new Read(messages, Skipped.NONE, false, null);
        }
    }

    /**
     * Messages that the platform has and the reader does not show.
     *
     * @param names the ids and markers of each skipped message
     * @param unnamed the number of further skipped messages whose ids are unknown
     */
    record Skipped(List<List<String>> names, int unnamed) {
        public static final Skipped NONE = new Skipped(List.of(), 0);

        public Skipped {
            names = List.copyOf(names);
        }
    }

    /**
     * The platform showed nothing.
     *
     * @param problem a sentence for operators that gives no secret away
     * @param retryAfter the pause before the next attempt; null if the answer is final
     */
    record Unread(String problem, @Nullable Duration retryAfter) implements PlatformHistory {}

    /** A read of the platform's history. */
    interface Reader {
        /**
         * @param maxMessages the largest number of messages, counted from the newest; the thread's first message is
         *     read in addition
         * @param limit the time limit for the whole read, including pauses that the platform asks for
         */
        PlatformHistory read(int maxMessages, Duration limit) throws InterruptedException;
    }
}
