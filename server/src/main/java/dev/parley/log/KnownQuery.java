package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Looks up what the log already holds of a batch: by key always, by own id and command for attempts that may have committed. */
final class KnownQuery {
    private KnownQuery() {}

    static Known read(Connection connection, List<Attempt> attempts) throws SQLException {
        List<Known.Place> places = new ArrayList<>();
        List<Attempt> uncertain = new ArrayList<>();
        for (Attempt attempt : attempts) {
            Command command = attempt.command();
            for (Draft draft : command.drafts()) {
                EntryKey key = draft.key();
                if (key != null) {
                    places.add(new Known.Place(command.thread(), key));
                }
                if (attempt.mayHaveCommitted()) {
                    places.add(new Known.Place(
                            command.thread(), EntryKey.id(draft.said().id())));
                }
            }
            if (attempt.mayHaveCommitted()) {
                uncertain.add(attempt);
            }
        }
        if (places.isEmpty() && uncertain.isEmpty()) {
            return Known.NOTHING;
        }
        return new Known(entries(connection, places), announcements(connection, uncertain));
    }

    private static Map<Known.Place, Known.Holder> entries(Connection connection, List<Known.Place> places)
            throws SQLException {
        if (places.isEmpty()) {
            return Map.of();
        }
        // One index probe per key: a join would let a never-analysed table be scanned.
        String sql = """
                select wanted.thread_id, wanted.key, entry.fingerprint, %s
                from unnest(?::uuid[], ?::text[]) as wanted (thread_id, key)
                cross join lateral (
                    select k.seq from entry_keys k
                    where k.thread_id = wanted.thread_id and k.key = wanted.key limit 1) as held
                cross join lateral (
                    select * from entries e
                    where e.thread_id = wanted.thread_id and e.seq = held.seq limit 1) as entry
                """.formatted(EntryRow.columns("entry"));
        Map<Known.Place, Known.Holder> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "uuid",
                            places.stream().map(place -> place.thread().value()).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text",
                            places.stream().map(place -> place.key().value()).toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Entry entry = EntryRow.read(rows);
                    byte[] fingerprint = rows.getBytes("fingerprint");
                    found.put(
                            new Known.Place(entry.thread(), new EntryKey(rows.getString("key"))),
                            new Known.Holder(entry, fingerprint == null ? null : Digest.of(fingerprint)));
                }
            }
        }
        return found;
    }

    private static Map<UUID, List<Event>> announcements(Connection connection, List<Attempt> uncertain)
            throws SQLException {
        Map<UUID, List<Event>> found = new HashMap<>();
        for (Attempt attempt : uncertain) {
            String sql = """
                    select position, seq, created_at, type, payload from events
                    where thread_id = ? and position > ? and command_id = ?
                    order by position limit 1000""";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                ThreadId thread = attempt.command().thread();
                statement.setObject(1, thread.value());
                statement.setLong(2, attempt.headSeen());
                statement.setObject(3, attempt.command().id());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        found.computeIfAbsent(attempt.command().id(), id -> new ArrayList<>())
                                .add(EntryRow.readAnnounced(
                                        rows, thread, attempt.command().id()));
                    }
                }
            }
        }
        return found;
    }
}
