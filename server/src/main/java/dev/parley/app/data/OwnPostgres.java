package dev.parley.app.data;

import dev.parley.basics.Backoff;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.postgres.RunningPostgres;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bundled PostgreSQL of a server. It is started again if it dies while the server runs. */
public final class OwnPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPostgres.class);
    private static final String DATABASE = "parley";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    /** Short, because operators expect the whole server to stop within half a minute. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(4);

    private static final int SPARE_CONNECTIONS = 20;
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(20), Duration.ofSeconds(5));
    private static final Duration STABLE_AFTER = Duration.ofSeconds(30);

    private final EmbeddedPostgres postgres;
    private volatile boolean closing;
    private int failures;
    private long lastStart = System.nanoTime() - STABLE_AFTER.toNanos();

    private OwnPostgres(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /** @param connections the highest number of connections that the server opens */
    public static OwnPostgres start(Path data, int connections) {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                folder(data),
                data.resolve("programs"),
                Map.of("max_connections", Integer.toString(connections + SPARE_CONNECTIONS)),
                START_LIMIT,
                STOP_LIMIT));
        try {
            postgres.createDatabaseIfMissing(DATABASE);
        } catch (RuntimeException failed) {
            postgres.close();
            throw failed;
        }
        return new OwnPostgres(postgres);
    }

    public static Path folder(Path data) {
        return data.resolve("postgres");
    }

    /** The address of a PostgreSQL that another process runs. */
    public static DatabaseAddress address(RunningPostgres running) {
        return new DatabaseAddress(running.jdbcUrl(DATABASE), running.user(), running.password());
    }

    public DatabaseAddress address() {
        return new DatabaseAddress(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
    }

    /** Starts PostgreSQL again whenever it dies, and points the database to it. */
    public void keepRunningFor(Database database) {
        postgres.onExit(() -> restart(database));
    }

    private void restart(Database database) {
        while (!closing) {
            // A PostgreSQL that dies right after each start must not be started in a tight loop.
            boolean again = System.nanoTime() - lastStart < STABLE_AFTER.toNanos();
            failures = again ? failures + 1 : 1;
            LockSupport.parkNanos(BACKOFF.after(failures).toNanos());
            lastStart = System.nanoTime();
            try {
                LOG.warn("PostgreSQL has exited; starting it again");
                postgres.restart();
                database.moveTo(postgres.port());
                return;
            } catch (RuntimeException failed) {
                LOG.error("Could not start PostgreSQL again; retrying after a backoff: {}", failed.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        postgres.close();
    }
}
