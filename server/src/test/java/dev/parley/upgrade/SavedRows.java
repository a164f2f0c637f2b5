package dev.parley.upgrade;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * All rows of a database as text, in the format of pg_dump: for each table a line with its columns, its rows as COPY
 * writes them, and an end line; then the positions of the sequences. Rows only: the migrations make the schema.
 */
final class SavedRows {
    private static final String END = "\\.";

    private SavedRows() {}

    static void write(Connection connection, Writer out) throws SQLException, IOException {
        CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
        for (String table : list(connection, """
            select tablename from pg_tables
            where schemaname = 'public' and tablename <> 'flyway_schema_history' order by tablename\
            """)) {
            String columns = String.join(", ", list(connection, """
                select attname from pg_attribute
                where attrelid = '%s'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
                order by attnum\
                """.formatted(table)));
            StringWriter rows = new StringWriter();
            if (copies.copyOut("copy " + table + " (" + columns + ") to stdout", rows) > 0) {
                out.write("copy " + table + " (" + columns + ") from stdin\n" + rows + END + "\n");
            }
        }
        for (String sequence : list(connection, """
            select format('select setval(%L, %s)', schemaname || '.' || sequencename, last_value)
            from pg_sequences where last_value is not null order by sequencename\
            """)) {
            out.write(sequence + "\n");
        }
    }

    /** Loads the rows into empty tables; rows that migrations have inserted are replaced. */
    static void load(Connection connection, BufferedReader in) throws SQLException, IOException {
        CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
        connection.setAutoCommit(false);
        // Tables come in the order of their names, regardless of their references.
        execute(connection, "set local session_replication_role = replica");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("copy ")) {
                execute(connection, "delete from " + line.split(" ")[1]);
                copies.copyIn(line, new StringReader(rows(in)));
            } else {
                execute(connection, line);
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static String rows(BufferedReader in) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (String row = in.readLine(); row != null && !row.equals(END); row = in.readLine()) {
            rows.append(row).append('\n');
        }
        return rows.toString();
    }

    private static List<String> list(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
