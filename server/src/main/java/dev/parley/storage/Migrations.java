package dev.parley.storage;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema up to date while other nodes work on it. Nodes that start at the same moment take turns by a lock
 * in the database.
 *
 * <p>A statement that has to wait for a table blocks all later statements on the table, so such a statement waits only
 * a moment, gives way and is retried. A migration outside a transaction can break off halfway. Such migrations begin by
 * removing the remains of the earlier attempt, and are retried with the next start. A schema newer than this node is
 * left unchanged.
 */
final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** The time for which a waiting migration may block the readers and writers of a table. */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration LOCK_RETRY_PAUSE = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 20;
    /** The seconds that a starting node waits for another node's migration: large indexes take time. */
    private static final int TURN = 3_600;

    private static final List<MigrationState> NEWER =
            List.of(MigrationState.FUTURE_SUCCESS, MigrationState.FUTURE_FAILED);

    private final Flyway flyway;
    private final Duration pause;
    private final int attempts;

    private Migrations(DataSource source, Duration wait, Duration pause, int attempts) {
        this.flyway = Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .connectRetries(3)
                // Migrations of a newer node are ignored, because migrations only add to the schema.
                .ignoreMigrationPatterns("*:future")
                .callbacks(new BriefLocks(wait))
                .lockRetryCount(TURN)
                // If a transaction held the lock, a concurrent index build would wait for that transaction.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .load();
        this.pause = pause;
        this.attempts = attempts;
    }

    static Migrations of(DataSource source) {
        return new Migrations(source, LOCK_TIMEOUT, LOCK_RETRY_PAUSE, ATTEMPTS);
    }

    /** Migrations with shorter waits, for tests. */
    static Migrations of(DataSource source, Duration wait, Duration pause, int attempts) {
        return new Migrations(source, wait, pause, attempts);
    }

    void run() {
        for (int attempt = 1; ; attempt++) {
            try {
                MigrationInfo[] before = flyway.info().all();
                forgetBrokenOff(before);
                flyway.migrate();
                tellOfNewer(before);
                return;
            } catch (FlywayException failed) {
                if (attempt == attempts || !isInTheWay(failed)) {
                    throw failed;
                }
                LOG.info("A migration waits for a table in use; it gives way and retries in a moment");
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }

    /** Removes the record of a failed migration outside a transaction; any other failure leaves no record. */
    private void forgetBrokenOff(MigrationInfo[] migrations) {
        if (Arrays.stream(migrations).anyMatch(each -> each.getState() == MigrationState.FAILED)) {
            flyway.repair();
        }
    }

    private static boolean isInTheWay(FlywayException failed) {
        var sql = SqlState.find(failed);
        return sql != null && SqlState.of(sql) == SqlState.CONTENTION;
    }

    private static void tellOfNewer(MigrationInfo[] migrations) {
        List<String> newer = Arrays.stream(migrations)
                .filter(each -> NEWER.contains(each.getState()))
                .map(MigrationInfo::getVersion)
                .map(String::valueOf)
                .toList();
        if (!newer.isEmpty()) {
            LOG.info(
                    "The schema has migrations that this node does not know (version {}), of a newer Parley;"
                            + " this node can work with them.",
                    String.join(", ", newer));
        }
    }
}
