package dev.parley.ingest;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Marks the quotes of erased entries, in all threads. A platform's ids of an entry are in {@code inbound_events} if the
 * platform sent it, and in {@code deliveries} if the server delivered it.
 */
public final class QuoteMarks {
    private static final String KEY = "(hashtextextended('thread_quotes', 0))";

    /** Appends with quotes take this lock. */
    static final String LOCK_SHARED = "select pg_advisory_xact_lock_shared" + KEY;

    /**
     * Waits for uncommitted appends with quotes, and blocks new appends with quotes until this transaction ends. The
     * lock is taken in a separate statement, so that the next statement sees the rows of those appends.
     */
    public static final String LOCK = "select pg_advisory_xact_lock" + KEY;

    private static final String MARK = """
            update thread_quotes q set erased_at = now()
            from (
                select i.source, i.workspace, i.channel, i.external_message_id from inbound_events i
                where i.external_message_id is not null and <i>
                union
                select t.source, t.workspace, t.channel, d.external_id
                from deliveries d join destinations t using (destination_id)
                where d.external_id is not null and <d>) as gone
            where q.source = gone.source and q.workspace = gone.workspace and q.channel = gone.channel
                and q.external_message_id = gone.external_message_id and q.erased_at is null""";

    private static final String MARK_ENTRIES = mark("x.thread_id = ? and x.seq = any (?)");

    private static final String MARK_ALL = mark(
            "exists (select 1 from entries e where e.thread_id = x.thread_id and e.seq = x.seq and e.erased_at is not null)");

    private QuoteMarks() {}

    private static String mark(String erased) {
        return MARK.replace("<i>", erased.replace("x.", "i.")).replace("<d>", erased.replace("x.", "d."));
    }

    /** Marks the quotes of these entries; the caller holds the {@link #LOCK}. */
    public static void mark(Connection connection, ThreadId thread, Object seqs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MARK_ENTRIES)) {
            for (int i = 0; i < 2; i++) {
                statement.setObject(2 * i + 1, thread.value());
                statement.setObject(2 * i + 2, seqs);
            }
            statement.executeUpdate();
        }
    }

    /** Marks the quotes of all erased entries, in a database that no server uses. */
    public static void markAll(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(MARK_ALL)) {
            statement.executeUpdate();
        }
    }
}
