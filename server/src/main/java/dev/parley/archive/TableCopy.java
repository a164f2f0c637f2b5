package dev.parley.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** Streams rows of tables out of the database, each as a line of JSON that the database itself writes. */
final class TableCopy {
    /**
     * Uses control characters as quote and delimiter. JSON on one line contains none, so COPY never quotes any part of
     * a line.
     */
    private static final String UNQUOTED = " to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')";

    private static final int REPORTED_AT_ONCE = 100;

    private final Connection connection;
    private final RowWriter rows;
    private final LongConsumer messages;

    /** @param messages receives the number of entries that were copied since the last call */
    TableCopy(Connection connection, RowWriter rows, LongConsumer messages) {
        this.connection = connection;
        this.rows = rows;
        this.messages = messages;
    }

    /** Copies the rows of the threads, table by table. */
    void copy(List<Table> tables, ThreadRange range) throws SQLException {
        for (Table table : tables) {
            copy(
                    table,
                    List.of("thread_id between '%s' and '%s'".formatted(range.first(), range.last())),
                    // The rows are sorted only if the table's key starts with the thread. The other tables have only
                    // an index by thread, and the order of their rows is irrelevant.
                    table.startsWithThread());
        }
    }

    /** Copies all exported rows of the tables. */
    void copy(List<Table> tables) throws SQLException {
        for (Table table : tables) {
            copy(table, List.of(), true);
        }
    }

    private void copy(Table table, List<String> given, boolean ordered) throws SQLException {
        List<String> conditions = new ArrayList<>(given);
        ArchivedTables.condition(table).ifPresent(conditions::add);
        String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
        String order = ordered ? " order by " + Table.quoted(table.key()) : "";
        String sql =
                "copy (select " + table.asArrays() + " from " + table.quotedName() + where + order + ")" + UNQUOTED;
        boolean counted = table.name().equals("entries");
        CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
        long count = 0;
        try {
            for (byte[] line = copy.readFromCopy(); line != null; line = copy.readFromCopy()) {
                rows.add(table, line);
                if (counted && ++count % REPORTED_AT_ONCE == 0) {
                    messages.accept(REPORTED_AT_ONCE);
                }
            }
            messages.accept(count % REPORTED_AT_ONCE);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }
}
