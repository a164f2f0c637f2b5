package dev.parley.archive;

import dev.parley.storage.DatabaseAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Reads the database in read-only transactions, each on one snapshot. Every transaction is short, or takes as long as
 * the reading of one thread, so that the database can vacuum.
 */
final class Snapshots implements AutoCloseable {
    private final Connection connection;

    /** A query that runs in one transaction. */
    interface Reading<T> {
        T from(Connection connection) throws SQLException;
    }

    private Snapshots(Connection connection) {
        this.connection = connection;
    }

    static Snapshots of(DatabaseAddress address) {
        Connection connection = address.connect();
        try {
            prepare(connection);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            return new Snapshots(connection);
        } catch (SQLException failed) {
            throw failure(failed);
        }
    }

    /** Fixes the format of values, whatever the server or the user configures, and turns off all timeouts. */
    static void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
                    set bytea_output = 'hex'; set extra_float_digits = 1;
                    set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0""");
        }
    }

    <T> T read(Reading<T> reading) {
        try (Statement statement = connection.createStatement()) {
            // Makes PostgreSQL read rows one by one in the order of an index, because sorting a long thread would need
            // memory for all of its rows.
            statement.execute(
                    "set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off");
            T result = reading.from(connection);
            connection.commit();
            return result;
        } catch (SQLException failed) {
            throw failure(failed);
        } finally {
            rollBack();
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException lost) {
            // The connection is lost, and its transaction with it.
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static ArchiveRefused failure(SQLException failed) {
        return new ArchiveRefused("The database failed: " + failed.getMessage() + ".", failed);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException lost) {
            // The connection is lost anyway.
        }
    }
}
