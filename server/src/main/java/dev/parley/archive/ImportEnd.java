package dev.parley.archive;

import dev.parley.ingest.QuoteMarks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** The steps of an import after all rows are loaded. */
final class ImportEnd {
    /**
     * Deletes inbound events without an entry. An export reads inbound events later than the threads, so an event may
     * name a message whose entry is not in the archive. Without its event, the message is accepted again if the
     * platform delivers it again.
     */
    private static final String EVENTS_WITHOUT_ENTRY = """
            delete from inbound_events i using thread_heads h
            where h.thread_id = i.thread_id and i.seq > h.last_seq""";

    /**
     * Restarts every erasure that was open when the export began. An export reads the progress of erasures later than
     * the threads, so a thread in the archive may be older than an erasure that counts the thread as done.
     */
    private static final String OPEN_ERASURES = """
            update erasures set finished_at = null, looked_to = null, quotes_marked_at = null
            where erasure_id <> '00000000-0000-0000-0000-000000000000'
                and (finished_at is null or finished_at >= ?::timestamptz)""";

    /** Restarts the open erasures in each of their threads, including retention, the erasure that never ends. */
    private static final String OPEN_ERASURE_THREADS = """
            update erasure_threads w set entries_to = 0, runs_to = 0, events_to = 0, done_at = null
            from erasures e
            where e.erasure_id = w.erasure_id
                and (e.finished_at is null or e.erasure_id = '00000000-0000-0000-0000-000000000000')""";

    /**
     * Sets the backfills of platforms back to the start of the export, because messages that were read later may be
     * missing in the threads.
     */
    private static final String READ_UNTIL = "update backfills set read_until = least(read_until, ?::timestamptz)";

    /**
     * Forgets histories that were read after the export began, because the message that carries such a history may be
     * missing in the threads.
     */
    private static final String HISTORIES = """
            update bindings set history_read_at = null where history_read_at >= ?::timestamptz""";

    private final Connection connection;

    ImportEnd(Connection connection) {
        this.connection = connection;
    }

    /** Sets the sequences past the imported rows, and analyses the tables. */
    void settle(ArchivedTables tables) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Table table : tables.all()) {
                for (Table.Column column : table.columns()) {
                    if (column.identity()) {
                        statement.execute(
                                """
                                select setval(pg_get_serial_sequence('%1$s', '%2$s'), coalesce(max(%3$s), 0) + 1, false)
                                from %1$s""".formatted(table.quotedName(), column.name(), Table.quoted(column.name())));
                    }
                }
            }
            statement.execute("analyze");
        }
    }

    /** True if every table has as many rows as the archive. */
    boolean countsFit(Manifest manifest, Progress progress) throws SQLException {
        boolean fit = true;
        for (Map.Entry<String, Long> each : new TreeMap<>(manifest.rows()).entrySet()) {
            long actual = Snapshots.number(connection, "select count(*) from " + Table.quoted(each.getKey()));
            if (actual != each.getValue()) {
                progress.say(
                        "The table " + each.getKey() + " has " + actual + " rows instead of " + each.getValue() + ".");
                fit = false;
            }
        }
        return fit;
    }

    /** Adapts the tables that were read last to the threads, which were read before. */
    void fitThreads(Manifest manifest, ChangesDuringExport meanwhile) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(EVENTS_WITHOUT_ENTRY);
            updateSince(READ_UNTIL, manifest);
            updateSince(HISTORIES, manifest);
            updateSince(OPEN_ERASURES, manifest);
            statement.executeUpdate(OPEN_ERASURE_THREADS);
        }
        // All quotes are marked again, because a thread in the archive may be older than the erasure of a message that
        // the thread quotes.
        QuoteMarks.markAll(connection);
        meanwhile.apply(connection, manifest);
    }

    private void updateSince(String sql, Manifest manifest) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setString(1, manifest.startedAt());
            update.executeUpdate();
        }
    }
}
