package dev.parley.bench.stream;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Times commits on the same PostgreSQL during the measurement. Each commit durably inserts one row on the probe's own
 * connection.
 */
final class CommitProbe implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String ROW = "x".repeat(100);

    private final Connection connection;
    private final Recorder micros = new Recorder(3);
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean closed;

    /** @param connection the connection, which only the probe uses from now on and which its owner closes */
    CommitProbe(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists commit_probe (n bigserial primary key, payload text not null)");
        }
        this.thread = Thread.ofPlatform().name("commit-probe").start(this::commit);
    }

    private void commit() {
        try (PreparedStatement insert = connection.prepareStatement("insert into commit_probe (payload) values (?)")) {
            insert.setString(1, ROW);
            while (!closed) {
                long before = System.nanoTime();
                insert.executeUpdate();
                micros.recordValue((System.nanoTime() - before) / 1_000);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (SQLException e) {
            failure.set(e.toString());
        }
    }

    /** The times of the commits since the last call, in microseconds. */
    Histogram take() {
        String broken = failure.get();
        if (broken != null) {
            throw new IllegalStateException("The commit probe broke off: " + broken);
        }
        return micros.getIntervalHistogram();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
