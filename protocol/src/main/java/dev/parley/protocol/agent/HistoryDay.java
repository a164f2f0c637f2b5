package dev.parley.protocol.agent;

import dev.parley.protocol.ThreadId;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one day of a thread, or of the latest part of the day, in ascending seq.
 *
 * @param scope always {@value #SCOPE}
 * @param threadId the thread; null if none of the caller's threads has a message
 * @param day the day in the requested time zone; null if there is no message to show
 * @param hasMore true if the thread has a message before the first of {@code messages}
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

    /** An answer without messages; the thread is null if none was found. */
    public static HistoryDay empty(@Nullable ThreadId thread) {
        return new HistoryDay(SCOPE, thread, null, false, List.of());
    }
}
