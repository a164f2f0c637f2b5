package dev.parley.bench.prove;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Asks PostgreSQL after each write whether all of its WAL is on disk. On an otherwise idle server the answer is yes
 * after a commit that waited for its flush, and no after a commit that did not wait. PostgreSQL's own housekeeping
 * interferes now and then, so a few misses prove nothing.
 */
final class FlushWatch implements AutoCloseable {
    private static final double ENOUGH = 0.9;

    private final PreparedStatement query;
    private int checks;
    private int flushed;

    FlushWatch(Connection connection) throws SQLException {
        query = connection.prepareStatement("select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()");
    }

    void check() throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            checks++;
            if (row.next() && row.getBoolean(1)) {
                flushed++;
            }
        }
    }

    boolean convinced() {
        return checks > 0 && flushed >= checks * ENOUGH;
    }

    @Override
    public String toString() {
        return "all WAL was on disk after " + flushed + " of " + checks + " acknowledgements";
    }

    @Override
    public void close() throws SQLException {
        query.close();
    }
}
