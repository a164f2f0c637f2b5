package dev.parley.history;

import dev.parley.protocol.ThreadId;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The part of a history to show.
 *
 * @param thread null for the one with the caller's latest message
 * @param before only days before this one; null for the latest
 * @param zone that days begin and end in
 * @param beforeSeq only messages before this one; null for all
 * @param limit messages at most
 */
public record HistoryQuery(
        @Nullable ThreadId thread,
        @Nullable LocalDate before,
        ZoneId zone,
        @Nullable Long beforeSeq,
        int limit) {}
