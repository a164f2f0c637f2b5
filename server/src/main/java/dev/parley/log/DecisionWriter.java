package dev.parley.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a decision: one join-free statement per table over arrays, all four in one round trip. */
final class DecisionWriter {
    private static final String INSERT_ENTRIES = """
            insert into entries (thread_id, seq, position, id, kind, target_seq, author, role, content, metadata,
                mentions, reply_to, client_message_id, base_seq, latest_seen_seq, stale_lag, engagement, created_at,
                fingerprint, salt, digest)
            select thread_id, seq, position, id, kind, target_seq, author, role, content, metadata::json,
                mentions::json, reply_to, client_message_id, base_seq, latest_seen_seq, stale_lag, engagement::json,
                timestamptz 'epoch' + micros * interval '1 microsecond', fingerprint, salt, digest
            from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::smallint[], ?::bigint[], ?::text[],
                ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[],
                ?::integer[], ?::text[], ?::bigint[], ?::bytea[], ?::bytea[], ?::bytea[])
                as new (thread_id, seq, position, id, kind, target_seq, author, role, content, metadata, mentions,
                    reply_to, client_message_id, base_seq, latest_seen_seq, stale_lag, engagement, micros,
                    fingerprint, salt, digest)
            """;
    private static final String INSERT_KEYS = """
            insert into entry_keys (thread_id, key, seq)
            select * from unnest(?::uuid[], ?::text[], ?::bigint[])
            """;
    private static final String INSERT_EVENTS = """
            insert into events (thread_id, position, seq, type, actor, payload, created_at, command_id)
            select thread_id, position, seq, type, actor, payload,
                timestamptz 'epoch' + micros * interval '1 microsecond', command_id
            from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                ?::uuid[])
                as new (thread_id, position, seq, type, actor, payload, micros, command_id)
            """;
    private static final String MOVE_HEADS = """
            update thread_heads set last_seq = new.seq, last_position = new.position, head_hash = new.hash,
                last_created_at = timestamptz 'epoch' + new.micros * interval '1 microsecond'
            from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[])
                as new (thread_id, seq, position, hash, micros)
            where thread_heads.thread_id = new.thread_id
            """;
    private static final String ALL = String.join(";\n", INSERT_ENTRIES, INSERT_KEYS, INSERT_EVENTS, MOVE_HEADS);

    private DecisionWriter() {}

    static void write(Connection connection, Decision decision) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ALL)) {
            Arrays arrays = new Arrays(connection, statement);
            bindEntries(arrays, decision.drafts());
            bindKeys(arrays, decision.drafts());
            bindEvents(arrays, decision.events());
            bindHeads(arrays, decision.heads().values());
            statement.execute();
        }
    }

    private static void bindEntries(Arrays arrays, List<Decision.NewEntry> entries) throws SQLException {
        arrays.add("uuid", entries, e -> e.entry().thread().value());
        arrays.add("int8", entries, e -> e.entry().seq());
        arrays.add("int8", entries, e -> e.entry().position());
        arrays.add("text", entries, e -> e.entry().said().id());
        arrays.add("int2", entries, e -> e.entry().said().kind().number());
        arrays.add("int8", entries, e -> e.entry().said().targetSeq());
        arrays.add("text", entries, e -> e.entry().said().author().value());
        arrays.add("text", entries, e -> e.entry().said().role().wire());
        arrays.add("text", entries, e -> e.entry().said().content());
        arrays.add("text", entries, e -> e.entry().said().metadata());
        arrays.add("text", entries, e -> EntryRow.mentions(e.entry().said().mentions()));
        arrays.add("text", entries, e -> e.entry().said().replyTo());
        arrays.add("text", entries, e -> e.entry().said().clientMessageId());
        arrays.add("int8", entries, e -> e.entry().said().baseSeq());
        arrays.add("int8", entries, e -> e.entry().said().latestSeenSeq());
        arrays.add("int4", entries, e -> e.entry().staleLag());
        arrays.add("text", entries, e -> EntryRow.engagement(e.entry().engagement()));
        arrays.add("int8", entries, e -> micros(e.entry().createdAt()));
        arrays.addBytes(entries, e -> e.draft().fingerprint());
        arrays.addBytes(entries, e -> e.draft().salt());
        arrays.addBytes(entries, e -> e.entry().digest());
    }

    private static void bindKeys(Arrays arrays, List<Decision.NewEntry> entries) throws SQLException {
        List<Key> keys = new ArrayList<>(entries.size() * 2);
        for (Decision.NewEntry each : entries) {
            Entry entry = each.entry();
            keys.add(new Key(entry.thread().value(), EntryKey.id(entry.said().id()), entry.seq()));
            EntryKey key = each.draft().key();
            if (key != null) {
                keys.add(new Key(entry.thread().value(), key, entry.seq()));
            }
        }
        arrays.add("uuid", keys, Key::thread);
        arrays.add("text", keys, key -> key.key().value());
        arrays.add("int8", keys, Key::seq);
    }

    private static void bindEvents(Arrays arrays, List<Event> events) throws SQLException {
        arrays.add("uuid", events, e -> e.thread().value());
        arrays.add("int8", events, Event::position);
        arrays.add("int8", events, Event::seq);
        arrays.add("text", events, e -> e instanceof Event.Announced announced ? announced.type() : null);
        arrays.add(
                "text",
                events,
                e -> e instanceof Event.Announced announced ? announced.actor().value() : null);
        arrays.add("text", events, e -> e instanceof Event.Announced announced ? announced.payload() : null);
        arrays.add("int8", events, e -> e instanceof Event.Announced announced ? micros(announced.createdAt()) : null);
        arrays.add("uuid", events, e -> e instanceof Event.Announced announced ? announced.command() : null);
    }

    private static void bindHeads(Arrays arrays, Collection<Head> heads) throws SQLException {
        arrays.add("uuid", heads, head -> head.thread().value());
        arrays.add("int8", heads, Head::lastSeq);
        arrays.add("int8", heads, Head::lastPosition);
        arrays.addBytes(heads, Head::hash);
        arrays.add("int8", heads, head -> micros(head.lastCreatedAt()));
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private record Key(UUID thread, EntryKey key, long seq) {}

    /** Binds one array parameter after the other. */
    private static final class Arrays {
        private final Connection connection;
        private final PreparedStatement statement;
        private int next = 1;

        Arrays(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        <T> void add(String type, Collection<T> rows, Function<T, @Nullable Object> column) throws SQLException {
            @Nullable Object[] values = new @Nullable Object[rows.size()];
            int i = 0;
            for (T row : rows) {
                values[i++] = column.apply(row);
            }
            statement.setArray(next++, connection.createArrayOf(type, values));
        }

        <T> void addBytes(Collection<T> rows, Function<T, Digest> column) throws SQLException {
            byte[][] values = new byte[rows.size()][];
            int i = 0;
            for (T row : rows) {
                values[i++] = column.apply(row).bytes();
            }
            statement.setArray(next++, connection.createArrayOf("bytea", values));
        }
    }
}
