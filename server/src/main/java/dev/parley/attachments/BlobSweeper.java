package dev.parley.attachments;

import dev.parley.limits.Limits;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes unused data: attachments that were never shown in a message, and blobs without an object. */
public final class BlobSweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlobSweeper.class);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final int PIECE = 200;

    private final Database database;
    private final Blobs blobs;
    private final Limits.Objects limits;
    private final Clock clock;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-sweep").daemon().factory());

    public BlobSweeper(ObjectParts parts, Limits.Objects limits, Clock clock) {
        this.database = parts.database();
        this.blobs = parts.blobs();
        this.limits = limits;
        this.clock = clock;
        worker.scheduleWithFixedDelay(this::trySweep, 1, INTERVAL.toMinutes(), TimeUnit.MINUTES);
    }

    private void trySweep() {
        try {
            sweep();
        } catch (RuntimeException unavailable) {
            LOG.warn("Could not sweep objects; retrying on the next pass: {}", unavailable.toString());
        }
    }

    /** Removes all unused data that is due. */
    public void sweep() {
        while (sweepAttachments() == PIECE) {
            LOG.debug("Sweeping further unused attachments");
        }
        while (blobs.sweep() > 0) {
            LOG.debug("Sweeping further unused blobs");
        }
    }

    private int sweepAttachments() {
        List<StoredObject> unused = database.read(handle -> ObjectStore.unattachedBefore(
                handle, clock.instant().minus(Duration.ofDays(limits.unusedDays())), PIECE));
        unused.forEach(this::removeIfUnattached);
        return unused.size();
    }

    private void removeIfUnattached(StoredObject object) {
        database.transact(handle -> {
            ObjectStore.lockUsage(handle, object.owner());
            boolean free = ObjectStore.lock(handle, object.key())
                    .filter(now -> now.id().equals(object.id()) && !now.attached())
                    .isPresent();
            if (free) {
                ObjectStore.delete(handle, List.of(object));
                Quotas.count(handle, object.owner(), -1, -object.bytes(), limits);
            }
            return free;
        });
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
