package dev.parley.attachments;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows of objects. A transaction that changes objects locks their owner's usage first and then the rows, so that
 * changes to one owner's objects are serialized.
 */
final class ObjectStore {
    private static final String COLUMNS = """
            o.object_id, o.bucket, o.path, o.owner, o.sha256, o.bytes, o.mime_type, o.filename, o.width, o.height,
            o.cache_control, o.metadata::text as metadata, o.attached, o.created_at, o.updated_at
            """;

    /** The reason why an object exists. */
    enum Origin {
        ATTACHMENT("attachment"),
        STORAGE("storage");

        private final String wire;

        Origin(String wire) {
            this.wire = wire;
        }
    }

    private ObjectStore() {}

    /** The time at which the first migration created the tables of objects. */
    static Instant createdAt(Handle handle) {
        return handle.createQuery("select min(installed_on)::timestamptz from flyway_schema_history")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant();
    }

    static Optional<StoredObject> find(Handle handle, ObjectKey key) {
        return handle.createQuery("select " + COLUMNS + " from objects o where o.bucket = :bucket and o.path = :path")
                .bind("bucket", key.bucket())
                .bind("path", key.path())
                .map((row, context) -> object(row))
                .findOne();
    }

    /** The objects among {@code keys} that the reader owns, or that were shown in a thread the reader may read. */
    static List<StoredObject> listFor(Handle handle, Collection<ObjectKey> keys, Principal reader) {
        return handle.createQuery("select " + COLUMNS + """
                        from objects o
                        where o.bucket = :bucket and o.path = any (:paths)
                          and (o.owner = :reader or :readsThreads and exists (
                            select 1 from object_uses u
                            join participants p on p.thread_id = u.thread_id and p.actor = :reader
                            join threads t on t.thread_id = u.thread_id
                            where u.object_id = o.object_id and p.capabilities & 1 = 1 and t.deleted_at is null))""")
                .bind("bucket", ObjectKey.BUCKET)
                .bindArray("paths", String.class, paths(keys))
                .bind("reader", reader.actor().value())
                .bind("readsThreads", reader.scopes().contains(Capability.CAN_READ))
                .map((row, context) -> object(row))
                .list();
    }

    private static Object[] paths(Collection<ObjectKey> keys) {
        return keys.stream().map(ObjectKey::path).toArray();
    }

    /** The objects among {@code keys} that were shown in a thread. */
    static List<StoredObject> shownIn(Handle handle, ThreadId thread, Collection<ObjectKey> keys) {
        return handle.createQuery("select " + COLUMNS + """
                        from objects o join object_uses u on u.object_id = o.object_id and u.thread_id = :thread
                        where o.bucket = :bucket and o.path = any (:paths)""")
                .bind("thread", thread.value())
                .bind("bucket", ObjectKey.BUCKET)
                .bindArray("paths", String.class, paths(keys))
                .map((row, context) -> object(row))
                .list();
    }

    static Optional<StoredObject> find(Handle handle, UUID id) {
        return handle.createQuery("select " + COLUMNS + " from objects o where o.object_id = :id")
                .bind("id", id)
                .map((row, context) -> object(row))
                .findOne();
    }

    /**
     * The object, with its row locked. Until this transaction ends, no other transaction attaches, changes or removes
     * the object.
     */
    static Optional<StoredObject> lock(Handle handle, ObjectKey key) {
        return lock(handle, List.of(key)).stream().findFirst();
    }

    /**
     * The objects among {@code keys} that exist, locked in the order of their ids; every transaction locks in this
     * order.
     */
    static List<StoredObject> lock(Handle handle, Collection<ObjectKey> keys) {
        return locked(handle, keys, "for update");
    }

    /** The object, with its row locked against change and removal only. It may be attached meanwhile. */
    static Optional<StoredObject> lockShared(Handle handle, ObjectKey key) {
        return locked(handle, List.of(key), "for key share").stream().findFirst();
    }

    private static List<StoredObject> locked(Handle handle, Collection<ObjectKey> keys, String lock) {
        return handle.createQuery("select " + COLUMNS + """
                        from objects o where o.bucket = :bucket and o.path = any (:paths)
                        order by o.object_id\s""" + lock)
                .bind("bucket", ObjectKey.BUCKET)
                .bindArray("paths", String.class, paths(keys))
                .map((row, context) -> object(row))
                .list();
    }

    static void insert(Handle handle, StoredObject object, Origin origin) {
        if (!insertIfFree(handle, object, origin)) {
            throw new IllegalStateException("A new path is taken: " + object.key());
        }
    }

    /** Inserts an object. Returns false and writes nothing if an object with this name exists. */
    static boolean insertIfFree(Handle handle, StoredObject object, Origin origin) {
        boolean free = handle.createUpdate("""
                        insert into objects (object_id, bucket, path, owner, sha256, bytes, mime_type, filename, width,
                          height, cache_control, metadata, origin, created_at, updated_at)
                        values (:id, :bucket, :path, :owner, :sha256, :bytes, :mimeType, :filename, :width,
                          :height, :cacheControl, :metadata::json, :origin, :createdAt, :updatedAt)
                        on conflict (bucket, path) do nothing""")
                        .bind("id", object.id())
                        .bind("bucket", object.key().bucket())
                        .bind("path", object.key().path())
                        .bind("owner", object.owner().value())
                        .bind("sha256", object.blob().bytes())
                        .bind("bytes", object.bytes())
                        .bind("mimeType", object.mimeType())
                        .bind("filename", object.filename())
                        .bind("width", object.width())
                        .bind("height", object.height())
                        .bind("cacheControl", object.cacheControl())
                        .bind("metadata", object.metadata())
                        .bind("origin", origin.wire)
                        .bind("createdAt", object.createdAt().atOffset(ZoneOffset.UTC))
                        .bind("updatedAt", object.updatedAt().atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
        if (free) {
            Blobs.hold(handle, object.blob());
        }
        return free;
    }

    /** Puts other bytes under the same name; from now on the owner keeps the object in storage. */
    static void replace(Handle handle, StoredObject former, StoredObject object) {
        handle.createUpdate("""
                        update objects set sha256 = :sha256, bytes = :bytes, mime_type = :mimeType, width = :width,
                          height = :height, filename = :filename, cache_control = :cacheControl,
                          metadata = :metadata::json, origin = 'storage', updated_at = :updatedAt
                        where object_id = :id""")
                .bind("id", object.id())
                .bind("sha256", object.blob().bytes())
                .bind("bytes", object.bytes())
                .bind("mimeType", object.mimeType())
                .bind("width", object.width())
                .bind("height", object.height())
                .bind("filename", object.filename())
                .bind("cacheControl", object.cacheControl())
                .bind("metadata", object.metadata())
                .bind("updatedAt", object.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
        if (!former.blob().equals(object.blob())) {
            Blobs.dereference(handle, List.of(former.blob()));
        }
        Blobs.hold(handle, object.blob());
    }

    /** Gives the object another name; from now on the owner keeps it in storage. */
    static void rename(Handle handle, UUID id, ObjectKey to, Instant at) {
        handle.createUpdate(
                        "update objects set path = :path, origin = 'storage', updated_at = :at where object_id = :id")
                .bind("id", id)
                .bind("path", to.path())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }

    static void delete(Handle handle, List<StoredObject> objects) {
        handle.createUpdate("delete from objects where object_id = any (:ids)")
                .bindArray(
                        "ids",
                        UUID.class,
                        objects.stream().map(StoredObject::id).toArray())
                .execute();
        Blobs.dereference(handle, objects.stream().map(StoredObject::blob).toList());
    }

    /** Counts a change of an owner's usage. The caller has locked the usage. */
    static void count(Handle handle, Actor owner, long objects, long bytes) {
        handle.createUpdate("""
                        update storage_usage set objects = objects + :objects, bytes = bytes + :bytes
                        where owner = :owner""")
                .bind("owner", owner.value())
                .bind("objects", objects)
                .bind("bytes", bytes)
                .execute();
    }

    /**
     * Locks the owner's usage, and waits for other changes to this owner's objects. Creates a missing row, so that even
     * the first two changes wait for each other.
     */
    static Usage lockUsage(Handle handle, Actor owner) {
        return handle.createQuery("""
                        insert into storage_usage as u (owner, objects, bytes) values (:owner, 0, 0)
                        on conflict (owner) do update set objects = u.objects
                        returning objects, bytes""")
                .bind("owner", owner.value())
                .map((row, context) -> new Usage(row.getLong("objects"), row.getLong("bytes")))
                .one();
    }

    static Usage usage(Handle handle, Actor owner) {
        return handle.createQuery("select objects, bytes from storage_usage where owner = :owner")
                .bind("owner", owner.value())
                .map((row, context) -> new Usage(row.getLong("objects"), row.getLong("bytes")))
                .findOne()
                .orElse(new Usage(0, 0));
    }

    /** The objects and bytes that an owner keeps. */
    record Usage(long objects, long bytes) {}

    /**
     * Ends a deleted thread's uses of at most {@code limit} objects, and returns the number of these objects: 0 if no
     * object is left. The objects are locked in the order of their ids before the uses by other threads are read.
     */
    static int release(Handle handle, ThreadId thread, int limit) {
        Object[] shown = handle.createQuery("""
                        select o.object_id from objects o join object_uses u on u.object_id = o.object_id
                        where u.thread_id = :thread order by o.object_id limit :limit for no key update of o""")
                .bind("thread", thread.value())
                .bind("limit", limit)
                .mapTo(UUID.class)
                .list()
                .toArray();
        handle.createUpdate("delete from object_uses where thread_id = :thread and object_id = any (:shown)")
                .bind("thread", thread.value())
                .bindArray("shown", UUID.class, shown)
                .execute();
        handle.createUpdate("""
                        update objects o set attached = false,
                          -- an attachment's week begins anew
                          created_at = case when o.origin = 'attachment' then now() else o.created_at end
                        where object_id = any (:shown)
                          and not exists (select 1 from object_uses u where u.object_id = o.object_id)""").bindArray("shown", UUID.class, shown).execute();
        return shown.length;
    }

    /** Marks an object as shown in no thread. True if the object was created only to be shown. */
    static boolean detach(Handle handle, UUID id) {
        return handle.createQuery("""
                        update objects set attached = false where object_id = :id returning origin = 'attachment'""").bind("id", id).mapTo(Boolean.class).one();
    }

    /** Attachments that no message shows, the oldest first. */
    static List<StoredObject> unattachedBefore(Handle handle, Instant before, int limit) {
        return handle.createQuery("select " + COLUMNS + """
                        from objects o where o.origin = 'attachment' and not o.attached and o.created_at < :before
                        order by o.created_at limit :limit""")
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .map((row, context) -> object(row))
                .list();
    }

    static StoredObject object(ResultSet row) throws SQLException {
        return new StoredObject(
                row.getObject("object_id", UUID.class),
                new ObjectKey(row.getString("bucket"), row.getString("path")),
                new Actor(row.getString("owner")),
                BlobId.of(row.getBytes("sha256")),
                row.getLong("bytes"),
                row.getString("mime_type"),
                row.getString("filename"),
                integer(row, "width"),
                integer(row, "height"),
                row.getString("cache_control"),
                row.getString("metadata"),
                row.getBoolean("attached"),
                time(row, "created_at"),
                time(row, "updated_at"));
    }

    private static @Nullable Integer integer(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class))
                .toInstant();
    }
}
