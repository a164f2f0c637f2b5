package dev.parley.wakeups;

import dev.parley.basics.Backoff;
import dev.parley.storage.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries messages by NOTIFY, on one connection that listens and another that sends. Neither connection belongs to a
 * lane, because a notification inside an append's transaction would make all appends wait for each other.
 */
public final class PostgresWakeups implements Wakeups {
    /** The number of connections that this class keeps. */
    public static final int CONNECTIONS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWakeups.class);
    private static final String CHANNEL = "parley_wakeups";
    /** The time to wait between two loads, because every notification is a transaction and wakes all nodes. */
    private static final Duration PACE = Duration.ofMillis(10);

    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(2);
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Database database;
    private final Thread listenerThread =
            Thread.ofPlatform().name("parley-wakeups-listen").daemon().unstarted(this::listen);
    private volatile Consumer<String> receiver = text -> {};
    private volatile @Nullable Connection listening;
    private @Nullable Connection sending;
    private volatile boolean closed;

    public PostgresWakeups(Database database) {
        this.database = database;
    }

    @Override
    public int subjects() {
        return 1;
    }

    @Override
    public Duration pace() {
        return PACE;
    }

    @Override
    public void join(Consumer<String> listener) {
        receiver = listener;
        listenerThread.start();
    }

    @Override
    public void carry(List<Message> messages) throws SQLException {
        Connection connection = sending();
        try (PreparedStatement statement =
                connection.prepareStatement("select pg_notify('" + CHANNEL + "', each) from unnest(?) as each")) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text", messages.stream().map(Message::text).toArray()));
            statement.execute();
        } catch (SQLException failed) {
            drop(connection);
            sending = null;
            throw failed;
        }
    }

    private Connection sending() throws SQLException {
        Connection known = sending;
        if (known != null) {
            return known;
        }
        Connection fresh = database.connect();
        try (Statement statement = fresh.createStatement()) {
            // A lost notification loses no data, so notifications do not wait for the disk.
            statement.execute("set synchronous_commit = off; set statement_timeout = '5s'");
        } catch (SQLException failed) {
            drop(fresh);
            throw failed;
        }
        sending = fresh;
        return fresh;
    }

    private void listen() {
        int failures = 0;
        while (!closed) {
            try (Connection connection = database.connect()) {
                listening = connection;
                try (Statement statement = connection.createStatement()) {
                    statement.execute("listen " + CHANNEL);
                }
                failures = 0;
                receive(connection.unwrap(PGConnection.class));
            } catch (SQLException | RuntimeException lost) {
                LOG.debug(
                        "Lost the listening connection; reconnecting in {}: {}",
                        BACKOFF.after(failures + 1),
                        lost.toString());
            }
            if (!closed && !pausedFor(BACKOFF.after(++failures))) {
                return;
            }
        }
    }

    private void receive(PGConnection connection) throws SQLException {
        while (!closed) {
            PGNotification[] notifications = connection.getNotifications((int) POLL_TIMEOUT.toMillis());
            if (notifications != null) {
                for (PGNotification each : notifications) {
                    receiver.accept(each.getParameter());
                }
            }
        }
    }

    private static boolean pausedFor(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void reset() {
        drop(sending);
        sending = null;
        // The listening thread notices the loss and opens a new connection.
        drop(listening);
    }

    /** Aborts a connection, even while a thread waits on it, because an orderly close would wait, too. */
    private static void drop(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException gone) {
                LOG.debug("Could not abort a connection for wake-ups: {}", gone.toString());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        listenerThread.interrupt();
        reset();
        try {
            listenerThread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
