package dev.parley.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Streams rows into one table, in the transaction of its connection. Columns that the rows do not have get their
 * defaults.
 */
final class TableLoad implements AutoCloseable {
    private static final int SENT_AT_ONCE = 64 * 1024;
    private static final String STAGE = "pg_temp.threads_to_be";

    private final Connection connection;
    private final String columns;
    private final boolean staged;
    private final CopyIn copy;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(SENT_AT_ONCE * 2);
    private long rows;

    TableLoad(Connection connection, RowWriter.Header header) throws SQLException {
        this.connection = connection;
        this.columns = Table.quoted(header.columns());
        this.staged = header.table().equals("threads");
        if (staged) {
            execute(
                    "create temporary table if not exists threads_to_be (like threads including defaults) on commit drop");
        }
        String target = staged ? STAGE : Table.quoted(header.table());
        this.copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("copy " + target + " (" + columns + ") from stdin");
    }

    void add(List<@Nullable String> row) throws SQLException {
        for (int i = 0; i < row.size(); i++) {
            if (i > 0) {
                buffer.write('\t');
            }
            write(row.get(i));
        }
        buffer.write('\n');
        rows++;
        if (buffer.size() >= SENT_AT_ONCE) {
            send();
        }
    }

    /** Writes a value in the text format of COPY, in which a backslash escapes special characters. */
    private void write(@Nullable String value) {
        if (value == null) {
            buffer.writeBytes(new byte[] {'\\', 'N'});
            return;
        }
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            switch (each) {
                case '\\' -> escape('\\');
                case '\n' -> escape('n');
                case '\r' -> escape('r');
                case '\t' -> escape('t');
                default -> buffer.write(each);
            }
        }
    }

    private void escape(char letter) {
        buffer.write('\\');
        buffer.write(letter);
    }

    private void send() throws SQLException {
        byte[] bytes = buffer.toByteArray();
        copy.writeToCopy(bytes, 0, bytes.length);
        buffer.reset();
    }

    /** Returns the number of rows. */
    long finish() throws SQLException {
        send();
        copy.endCopy();
        if (staged) {
            // A thread that was deleted during the export may have the same participants, and so the same key, as a
            // thread that was created afterwards. Only the later thread keeps the key.
            execute("update threads set reuse_key = null where reuse_key in (select reuse_key from " + STAGE + ")");
            execute("insert into threads (%1$s) select %1$s from %2$s".formatted(columns, STAGE));
            execute("truncate " + STAGE);
        }
        return rows;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }
}
