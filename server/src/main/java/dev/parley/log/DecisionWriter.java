package dev.parley.log;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes a decision: one join-free statement per table over arrays. */
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
            select * from unnest(?::uuid[], ?::uuid[], ?::bigint[])
            """;
    private static final String INSERT_EVENTS = """
            insert into events (thread_id, position, seq, type, actor, payload, created_at, command_id, run)
            select thread_id, position, seq, type, actor, payload,
                timestamptz 'epoch' + micros * interval '1 microsecond', command_id, run
            from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                ?::uuid[], ?::uuid[])
                as new (thread_id, position, seq, type, actor, payload, micros, command_id, run)
            """;
    private static final String INSERT_ENTRIES_AND_EVENTS =
            "with entered as (" + INSERT_ENTRIES + "), keyed as (" + INSERT_KEYS + ")" + INSERT_EVENTS;
    private static final String MOVE_HEADS = """
            update thread_heads set last_seq = new.seq, last_position = new.position, head_hash = new.hash,
                facts = new.facts, last_created_at = timestamptz 'epoch' + new.micros * interval '1 microsecond'
            from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[])
                as new (thread_id, seq, position, hash, micros, facts)
            where thread_heads.thread_id = new.thread_id
            """;
    /**
     * Moves heads that are still as this node remembers them. The batch fails if another transaction has moved or
     * locked one of them.
     */
    private static final String MOVE_KNOWN_HEADS = """
            with new as materialized (
                select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[],
                    ?::bigint[], ?::bigint[])
                    as new (thread_id, seq, position, hash, micros, facts, known_position, known_facts)),
            held as materialized (
                select h.thread_id from new join thread_heads h on h.thread_id = new.thread_id
                where h.last_position = new.known_position and h.facts = new.known_facts
                order by h.thread_id for no key update of h skip locked),
            moved as (
                update thread_heads set last_seq = new.seq, last_position = new.position, head_hash = new.hash,
                    facts = new.facts, last_created_at = timestamptz 'epoch' + new.micros * interval '1 microsecond'
                from new
                where thread_heads.thread_id = new.thread_id and new.thread_id in (select thread_id from held)
                returning 1)
            -- the text is no number: it fails the batch, and tells readers of PostgreSQL's log why
            select cast(case when (select count(*) from moved) = (select count(*) from new) then '1'
                else 'a head has moved; the batch is decided again' end as integer)
            """;

    private DecisionWriter() {}

    /** Writes a decision under the locks of the heads. */
    static void write(SqlBatch batch, Decision decision) {
        batch.add(MOVE_HEADS, arrays -> bindHeads(arrays, decision.heads().values()));
        writeRows(batch, decision);
    }

    /** Writes a decision on the condition that the heads are still as this node remembers them. */
    static void writeIfUnmoved(SqlBatch batch, Decision decision, Map<ThreadId, Head> known) {
        Collection<Head> heads = decision.heads().values();
        batch.add(MOVE_KNOWN_HEADS, arrays -> {
            bindHeads(arrays, heads);
            arrays.longs(heads, head -> knownOf(known, head).lastPosition());
            arrays.longs(heads, head -> knownOf(known, head).facts());
        });
        writeRows(batch, decision);
    }

    private static Head knownOf(Map<ThreadId, Head> known, Head head) {
        return Objects.requireNonNull(known.get(head.thread()));
    }

    private static void writeRows(SqlBatch batch, Decision decision) {
        if (!decision.drafts().isEmpty()) {
            batch.add(INSERT_ENTRIES_AND_EVENTS, arrays -> {
                bindEntries(arrays, decision.drafts());
                bindKeys(arrays, decision.drafts());
                bindEvents(arrays, decision.events());
            });
        } else if (!decision.events().isEmpty()) {
            // Most batches of streaming runs have no entries.
            batch.add(INSERT_EVENTS, arrays -> bindEvents(arrays, decision.events()));
        }
    }

    private static void bindEntries(SqlArrays arrays, List<Decision.NewEntry> entries) throws SQLException {
        arrays.uuids(entries, e -> e.entry().thread().value());
        arrays.longs(entries, e -> e.entry().seq());
        arrays.longs(entries, e -> e.entry().position());
        arrays.texts(entries, e -> e.entry().content().id());
        arrays.shorts(entries, e -> e.entry().content().kind().number());
        arrays.longs(entries, e -> e.entry().content().targetSeq());
        arrays.texts(entries, e -> e.entry().content().author().value());
        arrays.texts(entries, e -> e.entry().content().role().wire());
        arrays.texts(entries, e -> e.entry().content().text());
        arrays.texts(entries, e -> e.entry().content().metadata());
        arrays.texts(entries, e -> EntryRow.mentions(e.entry().content().mentions()));
        arrays.texts(entries, e -> e.entry().content().replyTo());
        arrays.texts(entries, e -> e.entry().content().clientMessageId());
        arrays.longs(entries, e -> e.entry().content().baseSeq());
        arrays.longs(entries, e -> e.entry().content().latestSeenSeq());
        arrays.integers(entries, e -> e.entry().staleLag());
        arrays.texts(entries, e -> EntryRow.engagement(e.entry().engagement()));
        arrays.longs(entries, e -> micros(e.entry().createdAt()));
        arrays.bytes(entries, e -> e.draft().fingerprint().bytes());
        arrays.bytes(entries, e -> e.draft().salt().bytes());
        arrays.bytes(entries, e -> e.entry().digest().bytes());
    }

    private static void bindKeys(SqlArrays arrays, List<Decision.NewEntry> entries) throws SQLException {
        List<Key> keys = new ArrayList<>(entries.size() * 2);
        for (Decision.NewEntry each : entries) {
            Entry entry = each.entry();
            keys.add(new Key(entry.thread().value(), EntryKey.id(entry.content().id()), entry.seq()));
            EntryKey key = each.draft().key();
            if (key != null) {
                keys.add(new Key(entry.thread().value(), key, entry.seq()));
            }
        }
        arrays.uuids(keys, Key::thread);
        arrays.uuids(keys, key -> key.key().value());
        arrays.longs(keys, Key::seq);
    }

    private static void bindEvents(SqlArrays arrays, List<Event> events) throws SQLException {
        arrays.uuids(events, e -> e.thread().value());
        arrays.longs(events, Event::position);
        arrays.longs(events, Event::seq);
        arrays.texts(events, DecisionWriter::type);
        arrays.texts(events, e -> switch (e) {
            case Event.Committed committed -> null;
            case Event.Announced announced -> announced.actor().value();
            case Event.Emitted emitted -> emitted.actor().value();
        });
        arrays.texts(events, EntryRow::payload);
        arrays.longs(events, e -> e instanceof Event.Committed ? null : micros(e.createdAt()));
        arrays.uuids(events, e -> switch (e) {
            case Event.Committed committed -> null;
            case Event.Announced announced -> announced.command();
            case Event.Emitted emitted -> emitted.command();
        });
        arrays.uuids(events, e -> e instanceof Event.Emitted emitted ? emitted.run() : null);
    }

    private static @Nullable String type(Event event) {
        return switch (event) {
            case Event.Committed committed -> null;
            case Event.Announced announced -> announced.type();
            case Event.Emitted emitted -> "run";
        };
    }

    private static void bindHeads(SqlArrays arrays, Collection<Head> heads) throws SQLException {
        arrays.uuids(heads, head -> head.thread().value());
        arrays.longs(heads, Head::lastSeq);
        arrays.longs(heads, Head::lastPosition);
        arrays.bytes(heads, head -> head.hash().bytes());
        arrays.longs(heads, head -> micros(head.lastCreatedAt()));
        arrays.longs(heads, Head::facts);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private record Key(UUID thread, EntryKey key, long seq) {}
}
