package dev.parley.bench.prove;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Asks PostgreSQL after each write whether all of its WAL is on disk. On a server with nothing else to do that is so
 * after a commit that waited for its flush, and is not so after one that did not; only PostgreSQL's own housekeeping
 * gets in between now and then, so a few misses mean nothing.
 */
final class FlushWatch implements AutoCloseable {
    private static final double ENOUGH = 0.9;

    private final PreparedStatement question;
    private int asked;
    private int flushed;

    FlushWatch(Connection connection) throws SQLException {
        question = connection.prepareStatement("select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()");
    }

    void ask() throws SQLException {
        try (ResultSet row = question.executeQuery()) {
            asked++;
            if (row.next() && row.getBoolean(1)) {
                flushed++;
            }
        }
    }

    boolean convinced() {
        return asked > 0 && flushed >= asked * ENOUGH;
    }

    @Override
    public String toString() {
        return "all WAL was on disk after " + flushed + " of " + asked + " acknowledgements";
    }

    @Override
    public void close() throws SQLException {
        question.close();
    }
}
