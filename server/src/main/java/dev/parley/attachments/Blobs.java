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
 * Owns the blobs of objects, and the rows of the blobs. Bytes arrive in three steps: they are staged on this machine's
 * disk, their row is written or renewed, and then they are put into the store. Therefore the store never contains a
 * blob without a row. An object refers to a row. After a day without an object, a row is removed with its blob.
 */
final class Blobs {
    /** The time within which an object must refer to a new row. It is far longer than an upload takes. */
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

    /** Stages bytes on the disk, so that they can be examined before any reader sees them. */
    StagedBlob stage(InputStream bytes, long limit, Supplier<RuntimeException> tooLarge) throws IOException {
        try {
            return staging.stage(bytes, limit, tooLarge);
        } catch (StorageUnavailable full) {
            throw logged(full);
        }
    }

    /** Stores staged bytes; an object must refer to them within {@link #UNREFERENCED_LIFE}. */
    void keep(StagedBlob staged) {
        database.transact(handle -> handle.createUpdate("""
                        insert into blobs (sha256, bytes, idle_since) values (:sha256, :bytes, now())
                        on conflict (sha256) do update set idle_since = now()""")
                .bind("sha256", staged.id().bytes())
                .bind("bytes", staged.bytes())
                .execute());
        // The row does not prove that the bytes exist, because a failed upload may have left the row.
        try {
            store.put(staged.id(), staged);
        } catch (StorageUnavailable unavailable) {
            throw logged(unavailable);
        }
    }

    /** A range of an object's bytes. */
    InputStream open(StoredObject object, long from, long length) {
        try {
            return store.open(object.blob(), from, length);
        } catch (StorageUnavailable unavailable) {
            throw logged(unavailable);
        } catch (MissingBlob lost) {
            LOG.error("Blob {} of object {} is missing in the store; it cannot be served", object.blob(), object.id());
            throw new ProblemException(
                    Problem.STORAGE_UNAVAILABLE, "The object's bytes cannot be read right now; try again later.");
        }
    }

    /** Throws unless the store can be written to right now. */
    void check() {
        try {
            store.check();
        } catch (StorageUnavailable unavailable) {
            throw logged(unavailable);
        }
    }

    /** Logs the reason for the operator; the caller learns only that the server is at fault. */
    private static ProblemException logged(StorageUnavailable unavailable) {
        LOG.warn("Could not use the object store; the request fails: {}", unavailable.getMessage());
        return unavailable.problem();
    }

    /** Marks a blob as referred to by an object, in the transaction that creates the reference. */
    static void hold(Handle handle, BlobId id) {
        handle.createUpdate("update blobs set idle_since = null where sha256 = :sha256 and idle_since is not null")
                .bind("sha256", id.bytes())
                .execute();
    }

    /** Marks blobs that have lost a reference; the sweep later checks whether other objects still refer to them. */
    static void dereference(Handle handle, Collection<BlobId> ids) {
        // All callers update the rows in the same order, so that two callers with the same blobs do not deadlock.
        new TreeSet<>(ids.stream().map(BlobId::hex).toList())
                .forEach(hex -> handle.createUpdate("update blobs set idle_since = now() where sha256 = :sha256")
                        .bind("sha256", new BlobId(hex).bytes())
                        .execute());
    }

    /**
     * Removes blobs that no object refers to. The row stays locked during the removal. Therefore an upload of the same
     * bytes waits, finds no row, writes a new row and stores the bytes again.
     *
     * @return the number of handled rows; 0 if no row is due, or other nodes handle all due rows
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

    /** A blob that the store cannot remove must not delay other blobs. The next try for this blob is in a day. */
    private boolean trySweep(BlobId id) {
        try {
            return sweep(id);
        } catch (StorageUnavailable refused) {
            LOG.warn("Could not remove blob {}; retrying in a day: {}", id.hex(), refused.getMessage());
            return database.transact(handle -> {
                dereference(handle, List.of(id));
                return true;
            });
        }
    }

    /** False if the row is no longer due, or another transaction has locked it. */
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

    /** Removes a blob whose row is locked, unless an object refers to it. */
    void removeIfUnheld(Handle handle, BlobId id) {
        // The snapshot of this query is newer than the lock, so it contains an object that was created meanwhile.
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

    /**
     * Locks the row of a blob. True if no upload of the same bytes has arrived since an object began to refer to it.
     */
    static boolean isHeldOnly(Handle handle, BlobId id) {
        return handle.createQuery("select idle_since is null from blobs where sha256 = :sha256 for update")
                .bind("sha256", id.bytes())
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }
}
