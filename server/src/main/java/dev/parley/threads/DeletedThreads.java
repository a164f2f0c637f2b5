package dev.parley.threads;

import dev.parley.log.ThreadPurger;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges the content of deleted threads piece by piece. A purge that breaks off is repeated. The thread's row and head
 * stay, because the thread's id is never used again.
 */
public final class DeletedThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeletedThreads.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int PIECE = 5_000;

    private final Database database;
    private final List<ThreadPurger> purgers;
    private final List<String> tables;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-purge").daemon().factory());

    /** @param purgers the features' purgers, in the order in which they run */
    public DeletedThreads(Database database, List<ThreadPurger> purgers) {
        this.database = database;
        this.purgers = List.copyOf(purgers);
        this.tables =
                purgers.stream().flatMap(purger -> purger.tables().stream()).toList();
        worker.scheduleWithFixedDelay(this::purge, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void purge() {
        try {
            List<UUID> deleted = database.read(
                    handle -> handle.createQuery("""
                        select thread_id from threads where deleted_at is not null and purged_at is null
                        order by deleted_at limit 100\
                        """).mapTo(UUID.class).list());
            deleted.forEach(this::purge);
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not purge deleted threads; retrying on the next pass: {}", unavailable.toString());
        }
    }

    private void purge(UUID thread) {
        for (String table : tables) {
            while (purgePiece(table, thread) == PIECE) {
                LOG.debug("Purging rows of {} of deleted thread {}", table, thread);
            }
        }
        purgers.forEach(purger -> purger.release(new ThreadId(thread)));
        // Another node may be purging the same thread, and may fail. Therefore a node marks the thread as purged only
        // if no row is left.
        String nothingLeft = tables.stream()
                .map(table -> " and not exists (select 1 from " + table + " where thread_id = :thread)")
                .collect(Collectors.joining());
        database.transact(handle -> handle.createUpdate(
                        "update threads set purged_at = now() where thread_id = :thread" + nothingLeft)
                .bind("thread", thread)
                .execute());
    }

    private int purgePiece(String table, UUID thread) {
        return database.transact(handle -> handle.createUpdate(
                        "delete from %1$s where ctid = any (array(select ctid from %1$s where thread_id = :thread limit %2$d))"
                                .formatted(table, PIECE))
                .bind("thread", thread)
                .execute());
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
