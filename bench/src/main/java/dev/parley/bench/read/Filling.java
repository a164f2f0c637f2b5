package dev.parley.bench.read;

import dev.parley.protocol.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/**
 * Writes threads and messages straight into the tables, in the form in which the log writes them. A million messages
 * take about a minute. The messages of a thread are ten minutes apart, and therefore the days of a long thread are like
 * the days of a short thread.
 */
record Filling(Connection connection) {
    private static final String THREADS = """
            create temporary table filling on commit drop as
                select gen_random_uuid() as thread_id, n, now() - n * interval '1 second' as at
                from generate_series(1, ?) as n
            """;
    private static final List<String> TABLES = List.of("""
            insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)
            select thread_id, 'private', 'Thread ' || n, 'open', $owner, at - interval '30 days' from filling
            """, """
            insert into thread_heads (thread_id, last_seq, last_position, last_created_at, head_hash)
            select thread_id, $messages, $messages, at, decode(repeat('00', 32), 'hex') from filling
            """, """
            insert into thread_activity (thread_id, last_seq, last_message_at, last_message_preview, updated_at)
            select thread_id, $messages, at, 'a message', at from filling
            """, """
            insert into participants (thread_id, actor, display_name, capabilities, joined_at)
            select thread_id, actor, 'Somebody', 15, at from filling cross join unnest(array[$owner, $other]) as actor
            """, """
            insert into read_marks (thread_id, actor, last_read_seq)
            select thread_id, actor, 0 from filling cross join unnest(array[$owner, $other]) as actor
            """, """
            insert into listings (thread_id, actor, active_at)
            select thread_id, actor, at from filling cross join unnest(array[$owner, $other]) as actor
            """, """
            insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, digest)
            select thread_id, s, s, lpad(to_hex(s), 32, '0'), 0, case when s % 2 = 0 then $owner else $other end, 'user',
                'message ' || s || ' of a conversation that people and agents append to, one after the other',
                at - ($messages - s) * interval '10 minutes', decode(repeat('00', 32), 'hex')
            from filling cross join generate_series(1, $messages) as s
            """, """
            insert into entry_keys (thread_id, key, seq)
            select thread_id, gen_random_uuid(), s
            from filling cross join generate_series(1, $messages) as s
            """, """
            insert into events (thread_id, position, seq)
            select thread_id, s, s from filling cross join generate_series(1, $messages) as s
            """);

    /** Creates threads in which two participants take turns; returns one of the threads. */
    UUID addThreads(Actor owner, Actor other, int threads, int messages) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set local synchronous_commit = off");
            try (PreparedStatement make = connection.prepareStatement(THREADS)) {
                make.setInt(1, threads);
                make.execute();
            }
            for (String sql : TABLES) {
                statement.execute(sql.replace("$owner", "'" + owner.value() + "'")
                        .replace("$other", "'" + other.value() + "'")
                        .replace("$messages", Integer.toString(messages)));
            }
            try (var row = statement.executeQuery("select thread_id from filling order by n limit 1")) {
                row.next();
                return row.getObject(1, UUID.class);
            }
        } finally {
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    /** Brings the tables into the state that autovacuum would reach in time. */
    void settle() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("vacuum (analyze)");
            statement.execute("checkpoint");
        }
    }
}
