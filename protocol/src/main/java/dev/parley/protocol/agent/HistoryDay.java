package dev.parley.protocol.agent;

import dev.parley.protocol.ThreadId;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One day of a thread, or the latest part of it, in ascending seq.
 *
 * @param scope always {@value #SCOPE}
 * @param threadId null if the caller has no thread with a message
 * @param day in the requested zone; null if there is no message to show
 * @param hasMore whether the thread has a message before the first of these
 */
public record HistoryDay(
        String scope,
        @Nullable ThreadId threadId,
        @Nullable LocalDate day,
        boolean hasMore,
        List<HistoryMessage> messages) {
    public static final String SCOPE = "history_day";

    public HistoryDay {
        messages = List.copyOf(messages);
    }

    /** A day without messages, of this thread or of none. */
    public static HistoryDay empty(@Nullable ThreadId thread) {
        return new HistoryDay(SCOPE, thread, null, false, List.of());
    }
}
