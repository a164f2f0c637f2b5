package dev.parley.bench.prove.cluster;

import dev.parley.log.Digest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks into the database itself when all is over: seqs are dense, positions grow, and each chain leads to its head. */
final class Chains {
    private static final int FETCHED = 10_000;

    private final List<String> violations = new ArrayList<>();
    private @Nullable UUID thread;
    private long seq;
    private long position;
    private Digest hash = Digest.ZERO;
    private long headSeq;
    private Digest headHash = Digest.ZERO;
    private long entries;

    /** What was looked at, and what was wrong in words. */
    record Checked(long entries, List<String> violations) {}

    static Checked check(Connection connection) throws SQLException {
        Chains chains = new Chains();
        // Without it the driver reads everything at once.
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(FETCHED);
            try (ResultSet rows = statement.executeQuery("""
                    select h.thread_id, h.last_seq, h.head_hash, e.seq, e.position, e.digest
                    from thread_heads h left join entries e using (thread_id) order by h.thread_id, e.seq""")) {
                while (rows.next()) {
                    chains.take(rows);
                }
            }
            chains.endThread();
            try (ResultSet rows = statement.executeQuery("""
                    select thread_id, author, client_message_id, count(*) from entries
                    where client_message_id is not null group by 1, 2, 3 having count(*) > 1""")) {
                while (rows.next()) {
                    chains.violations.add("thread " + rows.getString(1) + " has " + rows.getLong(4) + " messages of "
                            + rows.getString(2) + " with the key " + rows.getString(3));
                }
            }
        } finally {
            connection.rollback();
        }
        return new Checked(chains.entries, List.copyOf(chains.violations));
    }

    private void take(ResultSet row) throws SQLException {
        UUID next = row.getObject("thread_id", UUID.class);
        if (!next.equals(thread)) {
            endThread();
            thread = next;
            seq = 0;
            position = 0;
            hash = Digest.ZERO;
            headSeq = row.getLong("last_seq");
            headHash = Digest.of(row.getBytes("head_hash"));
        }
        byte[] digest = row.getBytes("digest");
        if (digest == null) {
            return;
        }
        entries++;
        if (row.getLong("seq") != seq + 1) {
            violations.add("thread " + thread + " has seq " + row.getLong("seq") + " after " + seq);
        }
        if (row.getLong("position") <= position) {
            violations.add("thread " + thread + " has position " + row.getLong("position") + " after " + position);
        }
        seq = row.getLong("seq");
        position = row.getLong("position");
        hash = hash.chain(Digest.of(digest));
    }

    private void endThread() {
        if (thread != null && (seq != headSeq || !hash.equals(headHash))) {
            violations.add("thread " + thread + " ends at seq " + seq + ", but its head is another one: " + headSeq);
        }
    }
}
