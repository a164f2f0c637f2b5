package dev.parley.app;

import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.postgres.PostgresUnavailable;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL the server brings along, kept running: one that dies is started again while the server lives. */
final class OwnPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPostgres.class);
    private static final String DATABASE = "parley";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    /** Short: whoever stops the server expects all of it to be gone within half a minute. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(4);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final EmbeddedPostgres postgres;
    private volatile boolean closing;

    private OwnPostgres(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    static OwnPostgres start(Path data) {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                data.resolve("postgres"), data.resolve("programs"), Map.of(), START_LIMIT, STOP_LIMIT));
        postgres.createDatabaseIfMissing(DATABASE);
        return new OwnPostgres(postgres);
    }

    DatabaseAddress address() {
        return new DatabaseAddress(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
    }

    /** Starts PostgreSQL again whenever it dies, and points the database there. */
    void keepRunningFor(Database database) {
        postgres.onExit(() -> restart(database));
    }

    private void restart(Database database) {
        Duration pause = Duration.ofMillis(100);
        while (!closing) {
            try {
                LOG.warn("PostgreSQL ended by itself; starting it again");
                postgres.restart();
                database.moveTo(postgres.port());
                return;
            } catch (PostgresUnavailable | IllegalStateException failed) {
                LOG.error("PostgreSQL does not start again: {}", failed.getMessage());
                LockSupport.parkNanos(pause.toNanos());
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        postgres.close();
    }
}
