package dev.parley.attachments;

import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Removes objects whose content must be erased, and their blobs at once, unless other objects have the same bytes. */
public final class ErasedObjects {
    private static final int PIECE = 200;

    private final Database database;
    private final Blobs blobs;
    private final Limits.Objects limits;

    public ErasedObjects(ObjectParts parts, Limits.Objects limits) {
        this.database = parts.database();
        this.blobs = parts.blobs();
        this.limits = limits;
    }

    /** Removes all objects that this thread alone shows. An object that an owner keeps in storage stays there. */
    public void removeShownIn(ThreadId thread) {
        List<ObjectKey> shown = page(thread);
        while (!shown.isEmpty()) {
            shown.forEach(key -> remove(thread, key));
            shown = page(thread);
        }
    }

    private List<ObjectKey> page(ThreadId thread) {
        return keys("""
                select o.bucket, o.path from object_uses u join objects o using (object_id)
                where u.thread_id = :id order by o.object_id limit :limit""", thread.value());
    }

    /**
     * Removes an object that the thread no longer shows, unless another thread shows it or its owner keeps it in
     * storage.
     */
    public void remove(ThreadId thread, ObjectKey key) {
        remove(key, (handle, object) -> {
            handle.createUpdate("delete from object_uses where object_id = :object and thread_id = :thread")
                    .bind("object", object.id())
                    .bind("thread", thread.value())
                    .execute();
            boolean shown = handle.createQuery("select 1 from object_uses where object_id = :object limit 1")
                    .bind("object", object.id())
                    .mapTo(Integer.class)
                    .findOne()
                    .isPresent();
            return !shown && ObjectStore.detach(handle, object.id());
        });
    }

    /** Removes all objects that the owner uploaded, including those shown in threads. */
    public void removeOwnedBy(Actor owner) {
        String sql = "select bucket, path from objects where owner = :id order by object_id limit :limit";
        List<ObjectKey> owned = keys(sql, owner.value());
        while (!owned.isEmpty()) {
            owned.forEach(key -> remove(key, (handle, object) -> {
                handle.createUpdate("delete from object_uses where object_id = :object")
                        .bind("object", object.id())
                        .execute();
                return true;
            }));
            owned = keys(sql, owner.value());
        }
    }

    private List<ObjectKey> keys(String sql, Object id) {
        return database.read(handle -> handle.createQuery(sql)
                .bind("id", id)
                .bind("limit", PIECE)
                .map((row, context) -> new ObjectKey(row.getString("bucket"), row.getString("path")))
                .list());
    }

    /** Decides if a locked object is removed. */
    private interface Condition {
        boolean removes(Handle handle, StoredObject object);
    }

    private void remove(ObjectKey key, Condition condition) {
        database.transact(handle -> {
            Optional<StoredObject> found = ObjectStore.find(handle, key);
            // The owner's usage is locked first, because all callers lock in this order.
            found.ifPresent(object -> ObjectStore.lockUsage(handle, object.owner()));
            Optional<StoredObject> locked = found.flatMap(object -> ObjectStore.lock(handle, key)
                    .filter(now -> now.id().equals(object.id()) && condition.removes(handle, now)));
            if (locked.isEmpty()) {
                return false;
            }
            StoredObject object = locked.get();
            boolean unshared = Blobs.isHeldOnly(handle, object.blob());
            ObjectStore.delete(handle, List.of(object));
            Quotas.count(handle, object.owner(), -1, -object.bytes(), limits);
            if (unshared) {
                blobs.removeIfUnheld(handle, object.blob());
            }
            return true;
        });
    }
}
