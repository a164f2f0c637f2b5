package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps rows of the log to records, in one place for the lane and the readers. */
final class EntryRow {
    private static final List<String> COLUMNS = List.of(
            "thread_id",
            "seq",
            "position",
            "id",
            "kind",
            "target_seq",
            "author",
            "role",
            "content",
            "metadata",
            "mentions",
            "reply_to",
            "client_message_id",
            "base_seq",
            "latest_seen_seq",
            "stale_lag",
            "engagement",
            "created_at",
            "digest",
            "erased_at");

    private EntryRow() {}

    /** The select list of an entry; each column is named {@code entry_…}, which keeps joins unambiguous. */
    static String columns(String table) {
        return COLUMNS.stream()
                .map(column -> table + "." + column + " as entry_" + column)
                .collect(Collectors.joining(", "));
    }

    static Entry read(ResultSet row) throws SQLException {
        return new Entry(
                new ThreadId(row.getObject("entry_thread_id", UUID.class)),
                row.getLong("entry_seq"),
                row.getLong("entry_position"),
                row.getObject("entry_created_at", OffsetDateTime.class).toInstant(),
                Digest.of(row.getBytes("entry_digest")),
                new EntryContent(
                        row.getString("entry_id"),
                        EntryKind.of(row.getInt("entry_kind")),
                        nullableLong(row, "entry_target_seq"),
                        new Actor(row.getString("entry_author")),
                        Role.of(row.getString("entry_role")),
                        row.getString("entry_content"),
                        row.getString("entry_metadata"),
                        mentions(row.getString("entry_mentions")),
                        row.getString("entry_reply_to"),
                        row.getString("entry_client_message_id"),
                        nullableLong(row, "entry_base_seq"),
                        nullableLong(row, "entry_latest_seen_seq")),
                staleLag(row),
                engagement(row.getString("entry_engagement")),
                nullableTime(row, "entry_erased_at"));
    }

    /** The select list of an event without an entry. */
    static final String EVENT_COLUMNS =
            "ev.position, ev.seq, ev.type, ev.actor, ev.payload, ev.created_at, ev.command_id, ev.run, ev.covers";

    /** Reads an event with its entry, without the positions that a reader has already read. */
    static Event event(ResultSet row, ThreadId thread, long after) throws SQLException {
        if (row.getString("type") == null) {
            return new Event.Committed(read(row));
        }
        Event event = readWithoutEntry(row, thread);
        return event instanceof Event.Emitted emitted ? emitted.after(after) : event;
    }

    static Event readWithoutEntry(ResultSet row, ThreadId thread) throws SQLException {
        UUID run = row.getObject("run", UUID.class);
        UUID command = row.getObject("command_id", UUID.class);
        Instant createdAt = row.getObject("created_at", OffsetDateTime.class).toInstant();
        Actor actor = new Actor(row.getString("actor"));
        String payload = row.getString("payload");
        return run == null
                ? new Event.Announced(
                        thread,
                        row.getLong("position"),
                        row.getLong("seq"),
                        createdAt,
                        row.getString("type"),
                        actor,
                        payload,
                        command)
                : new Event.Emitted(
                        thread,
                        row.getLong("seq"),
                        createdAt,
                        actor,
                        run,
                        EmittedRow.lines(payload, row.getString("covers"), row.getLong("position")),
                        command);
    }

    /** The payload to store for an event; null for an entry. A run's events are stored one per line. */
    static @Nullable String payload(Event event) {
        return switch (event) {
            case Event.Committed committed -> null;
            case Event.Announced announced -> announced.payload();
            case Event.Emitted emitted -> EmittedRow.payload(emitted.lines());
        };
    }

    /** Mentions as stored: a JSON array, or null for none. */
    static @Nullable String mentions(List<Actor> mentions) {
        return mentions.isEmpty()
                ? null
                : Json.MAPPER.writeValueAsString(
                        mentions.stream().map(Actor::value).toList());
    }

    private static List<Actor> mentions(@Nullable String stored) {
        return stored == null
                ? List.of()
                : Arrays.stream(Json.MAPPER.readValue(stored, String[].class))
                        .map(Actor::new)
                        .toList();
    }

    /** Engagement as stored: a JSON array, or null for none. */
    static @Nullable String engagement(List<Engagement> engagement) {
        return engagement.isEmpty() ? null : Json.MAPPER.writeValueAsString(engagement);
    }

    private static List<Engagement> engagement(@Nullable String stored) {
        return stored == null ? List.of() : List.of(Json.MAPPER.readValue(stored, Engagement[].class));
    }

    private static @Nullable Integer staleLag(ResultSet row) throws SQLException {
        int lag = row.getInt("entry_stale_lag");
        return row.wasNull() ? null : lag;
    }

    private static @Nullable Instant nullableTime(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
