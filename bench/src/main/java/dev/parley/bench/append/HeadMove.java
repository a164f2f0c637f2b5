package dev.parley.bench.append;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Locks and moves the head of a thread, for the yardstick that writes each message in a transaction of its own. */
final class HeadMove implements AutoCloseable {
    private static final String LOCK = "select last_seq from yardstick.heads where thread_id = ? for no key update";
    private static final String MOVE = """
            update yardstick.heads set last_seq = ?, last_position = ?, last_created_at = now(), head_hash = ?
            where thread_id = ?
            """;
    private static final byte[] HASH = new byte[32];

    private final PreparedStatement lock;
    private final PreparedStatement move;

    HeadMove(Connection connection) throws SQLException {
        this.lock = connection.prepareStatement(LOCK);
        this.move = connection.prepareStatement(MOVE);
    }

    long lock(ThreadId thread) throws SQLException {
        lock.setObject(1, thread.value());
        try (ResultSet row = lock.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("The thread " + thread + " has no head");
            }
            return row.getLong(1);
        }
    }

    void moveTo(ThreadId thread, long seq) throws SQLException {
        move.setLong(1, seq);
        move.setLong(2, seq);
        move.setBytes(3, HASH);
        move.setObject(4, thread.value());
        move.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        lock.close();
        move.close();
    }
}
