package dev.parley.bench.prove.cluster;

import dev.parley.log.ChainCheck;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/**
 * Checks in the database, at the end of a proof, that each thread's chain is whole and that no key has two messages.
 */
final class Chains {
    private static final ThreadId FIRST = new ThreadId(new UUID(0, 0));
    private static final ThreadId LAST = new ThreadId(new UUID(-1, -1));

    private Chains() {}

    /** The number of entries checked, and the violations in words. */
    record Checked(long entries, List<String> violations) {}

    /** Checks all threads at once, because a proof has at most some thousands of threads. */
    static Checked check(Connection connection) throws SQLException {
        List<String> violations = new ArrayList<>();
        LongAdder entries = new LongAdder();
        // In autocommit mode the JDBC driver would read all rows at once.
        connection.setAutoCommit(false);
        try {
            new ChainCheck(
                            connection,
                            (thread, fault) -> violations.add("thread " + thread + ": " + fault),
                            entries::add)
                    .check(FIRST, LAST);
            addDoubleKeys(connection, violations);
        } finally {
            connection.rollback();
        }
        return new Checked(entries.sum(), List.copyOf(violations));
    }

    private static void addDoubleKeys(Connection connection, List<String> violations) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                    select thread_id, author, client_message_id, count(*) from entries
                    where client_message_id is not null group by 1, 2, 3 having count(*) > 1""")) {
            while (rows.next()) {
                violations.add("thread " + rows.getString(1) + " has " + rows.getLong(4) + " messages of "
                        + rows.getString(2) + " with the key " + rows.getString(3));
            }
        }
    }
}
