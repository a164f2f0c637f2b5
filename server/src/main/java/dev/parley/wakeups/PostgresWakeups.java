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
 * Carries messages by NOTIFY, on a connection that listens and one that tells, neither of them the lanes': inside an
 * append's transaction a notification would make all appends wait for each other.
 */
public final class PostgresWakeups implements Wakeups {
    /** How many connections it keeps. */
    public static final int CONNECTIONS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(PostgresWakeups.class);
    private static final String CHANNEL = "parley_wakeups";
    /** Every notification is a transaction and wakes all nodes; so they are gathered for a moment. */
    private static final Duration PACE = Duration.ofMillis(10);

    private static final Duration LISTEN = Duration.ofSeconds(2);
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration LAST_CALL = Duration.ofSeconds(2);

    private final Database database;
    private final Thread ear =
            Thread.ofPlatform().name("parley-wakeups-listen").daemon().unstarted(this::listen);
    private volatile Consumer<String> heard = text -> {};
    private volatile @Nullable Connection listening;
    private @Nullable Connection telling;
    private volatile boolean closed;

    public PostgresWakeups(Database database) {
        this.database = database;
    }

    @Override
    public int places() {
        return 1;
    }

    @Override
    public Duration pace() {
        return PACE;
    }

    @Override
    public void join(Consumer<String> listener) {
        heard = listener;
        ear.start();
    }

    @Override
    public void carry(List<Message> messages) throws SQLException {
        Connection connection = telling();
        try (PreparedStatement statement =
                connection.prepareStatement("select pg_notify('" + CHANNEL + "', each) from unnest(?) as each")) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "text", messages.stream().map(Message::text).toArray()));
            statement.execute();
        } catch (SQLException failed) {
            drop(connection);
            telling = null;
            throw failed;
        }
    }

    private Connection telling() throws SQLException {
        Connection known = telling;
        if (known != null) {
            return known;
        }
        Connection fresh = database.connect();
        try (Statement statement = fresh.createStatement()) {
            // Nothing is lost with a notification, so none of them waits for the disk.
            statement.execute("set synchronous_commit = off; set statement_timeout = '5s'");
        } catch (SQLException failed) {
            drop(fresh);
            throw failed;
        }
        telling = fresh;
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
                hear(connection.unwrap(PGConnection.class));
            } catch (SQLException | RuntimeException lost) {
                LOG.debug("Listening again in {}: {}", BACKOFF.after(failures + 1), lost.toString());
            }
            if (!closed && !pausedFor(BACKOFF.after(++failures))) {
                return;
            }
        }
    }

    private void hear(PGConnection connection) throws SQLException {
        while (!closed) {
            PGNotification[] found = connection.getNotifications((int) LISTEN.toMillis());
            if (found != null) {
                for (PGNotification each : found) {
                    heard.accept(each.getParameter());
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
        drop(telling);
        telling = null;
        // Whoever listens on it notices and makes a new one.
        drop(listening);
    }

    /** Cuts a connection, even while somebody waits on it: closing it in order would wait, too. */
    private static void drop(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException gone) {
                LOG.debug("A connection was gone already: {}", gone.toString());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        ear.interrupt();
        reset();
        try {
            ear.join(LAST_CALL);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
