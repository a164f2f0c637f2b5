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
 * The rows of objects. Whoever changes some locks their owner's count first and then the rows, so that changes of one
 * owner come one after the other.
 */
final class ObjectStore {
    private static final String COLUMNS = """
            o.object_id, o.bucket, o.path, o.owner, o.sha256, o.bytes, o.mime_type, o.filename, o.width, o.height,
            o.cache_control, o.metadata::text as metadata, o.attached, o.created_at, o.updated_at
            """;

    /** Why something was put here. */
    enum Origin {
        ATTACHMENT("attachment"),
        STORAGE("storage");

        private final String wire;

        Origin(String wire) {
            this.wire = wire;
        }
    }

    private ObjectStore() {}

    static Optional<StoredObject> find(Handle handle, ObjectKey key) {
        return handle.createQuery("select " + COLUMNS + " from objects o where o.bucket = :bucket and o.path = :path")
                .bind("bucket", key.bucket())
                .bind("path", key.path())
                .map((row, context) -> object(row))
                .findOne();
    }

    /** The object if it is this one's, or was shown in a thread that this one may read; all others look the same. */
    static Optional<StoredObject> findFor(Handle handle, ObjectKey key, Principal reader) {
        return listFor(handle, List.of(key), reader).stream().findFirst();
    }

    /** Those of these names, in the same way. */
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

    /** Those of these names that were shown in a thread. */
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

    /** The same, with the row locked: nobody attaches, changes or removes it until the transaction is over. */
    static Optional<StoredObject> lock(Handle handle, ObjectKey key) {
        return handle.createQuery(
                        "select " + COLUMNS + " from objects o where o.bucket = :bucket and o.path = :path for update")
                .bind("bucket", key.bucket())
                .bind("path", key.path())
                .map((row, context) -> object(row))
                .findOne();
    }

    static void insert(Handle handle, StoredObject object, Origin origin) {
        if (!insertIfFree(handle, object, origin)) {
            throw new IllegalStateException("a fresh path is taken: " + object.key());
        }
    }

    /** False, and nothing is written, if there is an object of this name. */
    static boolean insertIfFree(Handle handle, StoredObject object, Origin origin) {
        return handle.createUpdate("""
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
    }

    /** Other bytes under the same name. */
    static void replace(Handle handle, StoredObject object) {
        handle.createUpdate("""
                        update objects set sha256 = :sha256, bytes = :bytes, mime_type = :mimeType, width = :width,
                          height = :height, cache_control = :cacheControl, metadata = :metadata::json,
                          updated_at = :updatedAt
                        where object_id = :id""")
                .bind("id", object.id())
                .bind("sha256", object.blob().bytes())
                .bind("bytes", object.bytes())
                .bind("mimeType", object.mimeType())
                .bind("width", object.width())
                .bind("height", object.height())
                .bind("cacheControl", object.cacheControl())
                .bind("metadata", object.metadata())
                .bind("updatedAt", object.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    static void rename(Handle handle, UUID id, ObjectKey to, Instant at) {
        handle.createUpdate("update objects set path = :path, updated_at = :at where object_id = :id")
                .bind("id", id)
                .bind("path", to.path())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }

    static void delete(Handle handle, UUID id) {
        handle.createUpdate("delete from objects where object_id = :id")
                .bind("id", id)
                .execute();
    }

    /** Counts what an owner keeps; false, and nothing is counted, if that were more than the owner may keep. */
    static boolean count(Handle handle, Actor owner, long objects, long bytes, Quota quota) {
        if (objects > quota.objects() || bytes > quota.bytes()) {
            return false;
        }
        return handle.createUpdate("""
                        insert into storage_usage as u (owner, objects, bytes) values (:owner, :objects, :bytes)
                        on conflict (owner) do update
                        set objects = u.objects + excluded.objects, bytes = u.bytes + excluded.bytes
                        where (excluded.objects <= 0 or u.objects + excluded.objects <= :mostObjects)
                          and (excluded.bytes <= 0 or u.bytes + excluded.bytes <= :mostBytes)""")
                        .bind("owner", owner.value())
                        .bind("objects", objects)
                        .bind("bytes", bytes)
                        .bind("mostObjects", quota.objects())
                        .bind("mostBytes", quota.bytes())
                        .execute()
                == 1;
    }

    /** Waits for other changes of this owner's objects. */
    static void lockCount(Handle handle, Actor owner) {
        handle.createQuery("select 1 from storage_usage where owner = :owner for update")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .findOne();
    }

    /** Locks in the order in which messages are attached to, then asks again who else shows them. */
    static int release(Handle handle, ThreadId thread) {
        List<UUID> shown = handle.createQuery("""
                        select o.object_id from objects o join object_uses u on u.object_id = o.object_id
                        where u.thread_id = :thread order by o.object_id for no key update of o""")
                .bind("thread", thread.value())
                .mapTo(UUID.class)
                .list();
        handle.createUpdate("delete from object_uses where thread_id = :thread")
                .bind("thread", thread.value())
                .execute();
        return handle.createUpdate("""
                        update objects o set attached = false
                        where object_id = any (:shown)
                          and not exists (select 1 from object_uses u where u.object_id = o.object_id)""")
                .bindArray("shown", UUID.class, shown.toArray())
                .execute();
    }

    /** How much one owner may keep. */
    record Quota(long objects, long bytes) {}

    /** Attachments that were never shown in a message, the oldest first. */
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
