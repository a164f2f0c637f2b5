package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Looks up the facts of a batch in the log: the keys of all drafts, the ids and commands of attempts that may have
 * committed, and missed messages for authors who give a base seq.
 */
final class KnownQuery {
    private KnownQuery() {}

    static KnownFacts read(Connection connection, List<Attempt> attempts) throws SQLException {
        List<KnownFacts.ThreadKey> keys = new ArrayList<>();
        List<Attempt> uncertain = new ArrayList<>();
        Set<KnownFacts.Reading> readings = new LinkedHashSet<>();
        for (Attempt attempt : attempts) {
            Command command = attempt.command();
            for (Draft draft : command.drafts()) {
                EntryKey key = draft.key();
                if (key != null) {
                    keys.add(new KnownFacts.ThreadKey(command.thread(), key));
                }
                Long base = draft.content().baseSeq();
                if (base != null) {
                    readings.add(new KnownFacts.Reading(
                            command.thread(), draft.content().author(), base));
                }
                String wished = draft.wishedId();
                if (wished != null) {
                    keys.add(new KnownFacts.ThreadKey(command.thread(), EntryKey.id(wished)));
                }
                if (attempt.mayHaveCommitted()) {
                    keys.add(new KnownFacts.ThreadKey(
                            command.thread(), EntryKey.id(draft.content().id())));
                }
            }
            if (attempt.mayHaveCommitted()) {
                uncertain.add(attempt);
            }
        }
        if (keys.isEmpty() && uncertain.isEmpty() && readings.isEmpty()) {
            return KnownFacts.NOTHING;
        }
        return new KnownFacts(
                entries(connection, keys),
                announcements(connection, uncertain),
                missed(connection, readings),
                uncertain.stream().map(attempt -> attempt.command().id()).collect(Collectors.toSet()));
    }

    private static Map<KnownFacts.ThreadKey, KnownFacts.Holder> entries(
            Connection connection, List<KnownFacts.ThreadKey> keys) throws SQLException {
        if (keys.isEmpty()) {
            return Map.of();
        }
        // One index probe per key. With a join, PostgreSQL might scan a table that was never analysed.
        String sql = """
                select wanted.thread_id, wanted.key, entry.fingerprint, entry.salt, %s
                from unnest(?::uuid[], ?::uuid[]) as wanted (thread_id, key)
                cross join lateral (
                    select k.seq from entry_keys k
                    where k.thread_id = wanted.thread_id and k.key = wanted.key limit 1) as held
                cross join lateral (
                    select * from entries e
                    where e.thread_id = wanted.thread_id and e.seq = held.seq limit 1) as entry
                """.formatted(EntryRow.columns("entry"));
        Map<KnownFacts.ThreadKey, KnownFacts.Holder> holders = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(keys, key -> key.thread().value())
                    .uuids(keys, key -> key.key().value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Entry entry = EntryRow.read(rows);
                    byte[] fingerprint = rows.getBytes("fingerprint");
                    byte[] salt = rows.getBytes("salt");
                    holders.put(
                            new KnownFacts.ThreadKey(entry.thread(), new EntryKey(rows.getObject("key", UUID.class))),
                            new KnownFacts.Holder(
                                    entry,
                                    fingerprint == null ? null : Digest.of(fingerprint),
                                    salt == null ? null : Digest.of(salt)));
                }
            }
        }
        return holders;
    }

    private static Map<UUID, List<Event>> announcements(Connection connection, List<Attempt> uncertain)
            throws SQLException {
        Map<UUID, List<Event>> events = new HashMap<>();
        for (Attempt attempt : uncertain) {
            String sql = """
                    select %s from events ev
                    where thread_id = ? and position > ? and command_id = ?
                    order by position limit 1000""".formatted(EntryRow.EVENT_COLUMNS);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                ThreadId thread = attempt.command().thread();
                statement.setObject(1, thread.value());
                statement.setLong(2, attempt.headSeen());
                statement.setObject(3, attempt.command().id());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        events.computeIfAbsent(attempt.command().id(), id -> new ArrayList<>())
                                .add(EntryRow.readWithoutEntry(rows, thread));
                    }
                }
            }
        }
        return events;
    }

    private static Map<KnownFacts.Reading, Integer> missed(Connection connection, Set<KnownFacts.Reading> readings)
            throws SQLException {
        if (readings.isEmpty()) {
            return Map.of();
        }
        String sql = """
                select wanted.thread_id, wanted.author, wanted.base_seq,
                    case when h.last_seq - wanted.base_seq > %2$d then greatest(counted.missed, 1)
                        else counted.missed end
                from unnest(?::uuid[], ?::text[], ?::bigint[]) as wanted (thread_id, author, base_seq)
                cross join lateral (
                    select last_seq from thread_heads where thread_id = wanted.thread_id limit 1) as h
                cross join lateral (
                    select count(*)::int as missed from (
                        select 1 from (
                            select e.kind, e.author from entries e
                            where e.thread_id = wanted.thread_id and e.seq > wanted.base_seq
                            order by e.seq desc limit %2$d) as recent
                        where recent.kind = 0 and recent.author <> wanted.author
                        limit %1$d) as others) as counted
                """.formatted(KnownFacts.MAX_MISSED, KnownFacts.SEARCHED_FOR_MISSED);
        Map<KnownFacts.Reading, Integer> missed = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(readings, reading -> reading.thread().value())
                    .texts(readings, reading -> reading.author().value())
                    .longs(readings, KnownFacts.Reading::baseSeq);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    missed.put(
                            new KnownFacts.Reading(
                                    new ThreadId(rows.getObject(1, UUID.class)),
                                    new Actor(rows.getString(2)),
                                    rows.getLong(3)),
                            rows.getInt(4));
                }
            }
        }
        return missed;
    }
}
