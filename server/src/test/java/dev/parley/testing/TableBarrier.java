package dev.parley.testing;

import dev.parley.storage.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * Holds every statement that reads or writes one table until it is closed. A test can stop a request between two of its
 * reads, change the data, and then release the request.
 */
public final class TableBarrier implements AutoCloseable {
    /**
     * The longest time that statements are held. The server gets it as {@code limit-database-lock}, whose default is
     * shorter.
     */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final RunningServer server;
    private final String table;
    private final Connection holder;

    private TableBarrier(RunningServer server, String table, Connection holder) {
        this.server = server;
        this.table = table;
        this.holder = holder;
    }

    public static TableBarrier before(RunningServer server, String table) {
        return hold(server, table, "access exclusive");
    }

    /** Holds writes only; the table can be read. */
    public static TableBarrier beforeWrites(RunningServer server, String table) {
        return hold(server, table, "exclusive");
    }

    private static TableBarrier hold(RunningServer server, String table, String mode) {
        DatabaseAddress address = server.database();
        try {
            Connection holder = DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
            holder.setAutoCommit(false);
            holder.createStatement().execute("lock table %s in %s mode".formatted(table, mode));
            return new TableBarrier(server, table, holder);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Returns once so many statements wait at the barrier. */
    public void awaitHeld(int statements) {
        String waiting =
                "select count(*) from pg_locks where not granted and relation = '%s'::regclass".formatted(table);
        Awaitility.await().atMost(LIMIT).until(() -> server.count(waiting) >= statements);
    }

    /** Releases every waiting statement. */
    @Override
    public void close() {
        try (holder) {
            holder.rollback();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
