package dev.parley.history;

import dev.parley.protocol.ThreadId;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history to show.
 *
 * @param thread the thread; null for the thread with the caller's latest message
 * @param before the day before which to read; null for the latest day
 * @param zone the time zone of the days
 * @param beforeSeq the seq before which to read messages; null for all messages
 * @param limit the largest number of messages
 */
public record HistoryQuery(
        @Nullable ThreadId thread,
        @Nullable LocalDate before,
        ZoneId zone,
        @Nullable Long beforeSeq,
        int limit) {}
