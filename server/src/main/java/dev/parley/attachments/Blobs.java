package dev.parley.attachments;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.storage.Database;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of objects and the rows that say which there are. Bytes come in three steps: they are staged on this
 * machine's disk, their row is written or renewed, and only then they go into the store; so the store never holds
 * anything without a row. An object points at a row, and a row that nothing has pointed at for a day goes with its bytes.
 */
final class Blobs {
    /** Far longer than an upload takes: whoever has just written a row has all this time to point at it. */
    static final Duration UNREFERENCED_LIFE = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(Blobs.class);
    private static final int SWEPT_AT_ONCE = 200;

    private final Database database;
    private final Staging staging;
    private final BlobStore store;

    Blobs(Database database, Staging staging, BlobStore store) {
        this.database = database;
        this.staging = staging;
        this.store = store;
    }

    /** Takes bytes onto the disk, so that they can be looked at before anybody else sees them. */
    StagedBlob stage(InputStream bytes, long limit, Supplier<RuntimeException> tooLarge) throws IOException {
        try {
            return staging.stage(bytes, limit, tooLarge);
        } catch (StorageUnavailable full) {
            throw told(full);
        }
    }

    /** Keeps what was staged; an object must point at it within {@link #UNREFERENCED_LIFE}. */
    void keep(StagedBlob staged) {
        database.transact(handle -> handle.createUpdate("""
                        insert into blobs (sha256, bytes, idle_since) values (:sha256, :bytes, now())
                        on conflict (sha256) do update set idle_since = now()""")
                .bind("sha256", staged.id().bytes())
                .bind("bytes", staged.bytes())
                .execute());
        // Whether the bytes are there is asked of the store: a row may be older than a failed upload.
        try {
            store.put(staged.id(), staged);
        } catch (StorageUnavailable unavailable) {
            throw told(unavailable);
        }
    }

    /** A stretch of the bytes. */
    InputStream open(StoredObject object, long from, long length) {
        try {
            return store.open(object.blob(), from, length);
        } catch (StorageUnavailable unavailable) {
            throw told(unavailable);
        } catch (MissingBlob lost) {
            LOG.error("The bytes {} of object {} are not in the store.", object.blob(), object.id());
            throw new ProblemException(Problem.STORAGE_UNAVAILABLE, "The object's bytes cannot be read right now.");
        }
    }

    /** Returns if the store can be written to right now. */
    void check() {
        try {
            store.check();
        } catch (StorageUnavailable unavailable) {
            throw told(unavailable);
        }
    }

    /** Those who run the server read why; the caller only that it is not its fault. */
    private static ProblemException told(StorageUnavailable unavailable) {
        LOG.warn("{}", unavailable.getMessage());
        return unavailable.problem();
    }

    /** An object points at these bytes, in the same transaction. */
    static void hold(Handle handle, BlobId id) {
        handle.createUpdate("update blobs set idle_since = null where sha256 = :sha256 and idle_since is not null")
                .bind("sha256", id.bytes())
                .execute();
    }

    /** Objects point at these bytes no more; whether others do is asked when their time has come. */
    static void dereference(Handle handle, Collection<BlobId> ids) {
        // In one order for all, so that two who let go of the same ones wait for each other in turn.
        new TreeSet<>(ids.stream().map(BlobId::hex).toList())
                .forEach(hex -> handle.createUpdate("update blobs set idle_since = now() where sha256 = :sha256")
                        .bind("sha256", new BlobId(hex).bytes())
                        .execute());
    }

    /**
     * Removes bytes that nothing points at. The row stays locked while they go: whoever comes with the same bytes waits,
     * finds no row, writes one and stores them again.
     *
     * @return how many rows were dealt with; 0 if none is due, or others deal with them
     */
    int sweep() {
        List<BlobId> idle = database.read(handle -> handle.createQuery("""
                        select sha256 from blobs where idle_since < now() - make_interval(secs => :grace)
                        order by idle_since limit :limit""")
                .bind("grace", UNREFERENCED_LIFE.toSeconds())
                .bind("limit", SWEPT_AT_ONCE)
                .map((row, context) -> BlobId.of(row.getBytes(1)))
                .list());
        return (int) idle.stream().filter(this::trySweep).count();
    }

    /** One that the store does not let go of must not keep the others: its turn comes again in a day. */
    private boolean trySweep(BlobId id) {
        try {
            return sweep(id);
        } catch (StorageUnavailable refused) {
            LOG.warn("The bytes {} are removed later: {}", id.hex(), refused.getMessage());
            return database.transact(handle -> {
                dereference(handle, List.of(id));
                return true;
            });
        }
    }

    /** False if somebody else has the row. */
    private boolean sweep(BlobId id) {
        return database.transact(handle -> {
            boolean locked = handle.createQuery("""
                            select 1 from blobs where sha256 = :sha256
                              and idle_since < now() - make_interval(secs => :grace) for update skip locked""")
                    .bind("sha256", id.bytes())
                    .bind("grace", UNREFERENCED_LIFE.toSeconds())
                    .mapTo(Integer.class)
                    .findOne()
                    .isPresent();
            if (!locked) {
                return false;
            }
            removeIfUnheld(handle, id);
            return true;
        });
    }

    /** Removes bytes whose row is locked, unless an object holds them. */
    void removeIfUnheld(Handle handle, BlobId id) {
        // Asked in a snapshot that is newer than the lock: an object that was being made is seen.
        boolean held = handle.createQuery("select 1 from objects where sha256 = :sha256 limit 1")
                .bind("sha256", id.bytes())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
        if (held) {
            hold(handle, id);
            return;
        }
        store.remove(id);
        handle.createUpdate("delete from blobs where sha256 = :sha256")
                .bind("sha256", id.bytes())
                .execute();
    }

    /** Locks the row of some bytes; true if nobody has come with the same ones since an object holds them. */
    static boolean isHeldOnly(Handle handle, BlobId id) {
        return handle.createQuery("select idle_since is null from blobs where sha256 = :sha256 for update")
                .bind("sha256", id.bytes())
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }
}
