package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history to show.
 *
 * @param thread the thread; null for the thread with the latest message of all the caller's threads
 * @param before only days before this day; null for the latest day
 * @param zone the time zone of the days; null for UTC
 * @param beforeSeq only messages before this seq; null for all
 * @param limit maximum number of messages on a page; null for the server's maximum
 */
public record HistoryQuery(
        @Nullable ThreadId thread,
        @Nullable LocalDate before,
        @Nullable ZoneId zone,
        @Nullable Long beforeSeq,
        @Nullable Integer limit) {
    /** The latest day of the most recently active thread. */
    public static final HistoryQuery LATEST = new HistoryQuery(null, null, null, null, null);

    public static HistoryQuery of(ThreadId thread) {
        return new HistoryQuery(thread, null, null, null, null);
    }

    public HistoryQuery in(ZoneId other) {
        return new HistoryQuery(thread, before, other, beforeSeq, limit);
    }

    public HistoryQuery before(LocalDate day) {
        return new HistoryQuery(thread, day, zone, beforeSeq, limit);
    }

    public HistoryQuery beforeSeq(long seq) {
        return new HistoryQuery(thread, before, zone, seq, limit);
    }

    public HistoryQuery limit(int messages) {
        return new HistoryQuery(thread, before, zone, beforeSeq, messages);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        add(text, "threadId", thread);
        add(text, "before", before);
        add(text, "tz", zone == null ? null : zone.getId());
        add(text, "beforeSeq", beforeSeq);
        add(text, "limit", limit);
        return text.toString();
    }

    private static void add(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(Request.encode(value.toString()));
        }
    }
}
