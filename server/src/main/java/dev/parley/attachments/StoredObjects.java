package dev.parley.attachments;

import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The front door of objects that users keep under names of their own choice. A caller writes only in its own folder. It
 * sees the objects in this folder, and the objects attached to messages that it may read. An attached object never
 * changes.
 */
public final class StoredObjects {
    /** The life of a URL by which another person uploads. */
    static final Duration UPLOAD_LIFE = Duration.ofHours(2);
    /** The longest life of a URL that a client asks for. */
    static final Duration MAX_LIFE = Duration.ofDays(7);

    private final Database database;
    private final VisibleObjects visible;
    private final Blobs blobs;
    private final Intake intake;
    private final ObjectUrls urls;
    private final UrlTokens tokens;
    private final Limits.Objects limits;
    private final long maxMetadata;
    private final Clock clock;

    public StoredObjects(ObjectParts parts, Limits.Objects limits, long maxMetadata, Clock clock) {
        this.database = parts.database();
        this.visible = new VisibleObjects(parts.database());
        this.blobs = parts.blobs();
        this.intake = parts.intake();
        this.urls = parts.urls();
        this.tokens = parts.tokens();
        this.limits = limits;
        this.maxMetadata = maxMetadata;
        this.clock = clock;
    }

    /** The rule for an existing object at the target. */
    public enum Mode {
        /** The object must not exist. */
        CREATE,
        /** The object may exist. */
        UPSERT,
        /** The object must exist. */
        REPLACE
    }

    /** The destination of an upload, determined before its bytes are received. */
    public record ObjectTarget(ObjectKey key, Actor owner, Mode mode) {}

    /** The description that a client gives of an upload. */
    public record Label(
            @Nullable String declaredType,
            @Nullable String cacheControl,
            @Nullable String metadata) {}

    /** A target in the caller's own folder. */
    public ObjectTarget requireTarget(Principal caller, String bucket, String path, Mode mode) {
        return new ObjectTarget(requireOwn(caller, bucket, path), caller.actor(), mode);
    }

    /** The target that a signed upload URL grants; refused if the token does not grant it. */
    public ObjectTarget requireGranted(String bucketAndPath, String token) {
        return tokens.verify(token, UrlTokens.Purpose.UPLOAD)
                .filter(grant -> ObjectUrls.names(bucketAndPath, grant.key()) && grant.holder() != null)
                .map(grant -> new ObjectTarget(
                        grant.key(),
                        Objects.requireNonNull(grant.holder()),
                        grant.upsert() ? Mode.UPSERT : Mode.CREATE))
                .orElseThrow(() -> new ProblemException(
                        Problem.OBJECT_NOT_FOUND, "The token of this URL does not allow this upload."));
    }

    /** Receives an upload before the rest of its request is known. */
    public ReceivedUpload receive(ObjectTarget target, InputStream bytes) throws IOException {
        return intake.receive(target.owner(), bytes);
    }

    /** Stores an upload at its target. */
    public StoredObject put(ObjectTarget target, ReceivedUpload received, Label label) {
        Intake.Kind kind = intake.stored(received, label.declaredType());
        LabelRule.require(label, maxMetadata);
        // The target and the quota are checked before the bytes are stored, so that a refused upload leaves no bytes.
        // They are checked again when the upload is counted.
        database.read(handle -> {
            Optional<StoredObject> existing = ObjectStore.find(handle, target.key());
            requireFitting(target, existing);
            Quotas.requireRoom(handle, target.owner(), addedObjects(existing), addedBytes(existing, received), limits);
            return existing;
        });
        blobs.keep(received.staged());
        return database.transact(handle -> {
            ObjectStore.lockUsage(handle, target.owner());
            Optional<StoredObject> existing = ObjectStore.lock(handle, target.key());
            requireFitting(target, existing);
            Quotas.count(handle, target.owner(), addedObjects(existing), addedBytes(existing, received), limits);
            StoredObject object = newObject(target, received, kind, label, existing);
            existing.ifPresentOrElse(
                    former -> ObjectStore.replace(handle, former, object), () -> insert(handle, object));
            return object;
        });
    }

    private static long addedObjects(Optional<StoredObject> existing) {
        return existing.isPresent() ? 0 : 1;
    }

    private static long addedBytes(Optional<StoredObject> existing, ReceivedUpload received) {
        return received.staged().bytes() - existing.map(StoredObject::bytes).orElse(0L);
    }

    private static void requireFitting(ObjectTarget target, Optional<StoredObject> existing) {
        if (existing.isPresent() && target.mode() == Mode.CREATE) {
            throw exists();
        }
        if (existing.isEmpty() && target.mode() == Mode.REPLACE) {
            throw Attachments.noSuchObject();
        }
        existing.ifPresent(StoredObjects::requireUnattached);
    }

    private StoredObject newObject(
            ObjectTarget target,
            ReceivedUpload received,
            Intake.Kind kind,
            Label label,
            Optional<StoredObject> existing) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return new StoredObject(
                existing.map(StoredObject::id).orElseGet(UuidV7::next),
                target.key(),
                target.owner(),
                received.staged().id(),
                received.staged().bytes(),
                kind.mimeType(),
                null,
                kind.width(),
                kind.height(),
                label.cacheControl(),
                label.metadata(),
                false,
                existing.map(StoredObject::createdAt).orElse(now),
                now);
    }

    /**
     * Inserts an object. Concurrent callers wait for the owner's usage, so no other caller inserts the same name
     * meanwhile.
     */
    private static void insert(Handle handle, StoredObject object) {
        if (!ObjectStore.insertIfFree(handle, object, ObjectStore.Origin.STORAGE)) {
            throw exists();
        }
    }

    /** The buckets that the caller may keep objects in; refuses callers that may not keep objects. */
    public List<Bucket> buckets(Principal caller) {
        CallersFolder.of(caller);
        return List.of(new Bucket(ObjectKey.BUCKET, limits.uploadBytes(), database.read(ObjectStore::createdAt)));
    }

    public Bucket requireBucket(Principal caller, String name) {
        return buckets(caller).stream()
                .filter(bucket -> bucket.name().equals(name))
                .findFirst()
                .orElseThrow(StoredObjects::noSuchBucket);
    }

    /** An object that the caller may see: in its own folder, or shown in a thread that it may read. */
    public StoredObject require(Principal caller, String bucket, String path) {
        CallersFolder.of(caller);
        requireKnownBucket(bucket);
        return visible.require(caller, bucket, path);
    }

    /** The objects among {@code paths} that the caller may see, by path. */
    public Map<String, StoredObject> find(Principal caller, String bucket, Collection<String> paths) {
        return visible.find(caller, bucket, paths).stream()
                .collect(Collectors.toMap(object -> object.key().path(), object -> object));
    }

    /** The object of a signed URL. Any caller that has the path and its token may open the object. */
    public StoredObject requireOpened(String bucketAndPath, String token) {
        return urls.keyOpenedBy(bucketAndPath, token)
                .flatMap(key -> database.read(handle -> ObjectStore.find(handle, key)))
                .orElseThrow(Attachments::noSuchObject);
    }

    public InputStream open(StoredObject object, long from, long length) {
        return blobs.open(object, from, length);
    }

    /** Checks the life that a client requests for a URL. */
    public static Duration requireLife(@Nullable Long seconds) {
        if (seconds == null || seconds < 1 || seconds > MAX_LIFE.toSeconds()) {
            throw ProblemException.invalidField(
                    "expiresIn", "must be a whole number of seconds, 1 to " + MAX_LIFE.toSeconds());
        }
        return Duration.ofSeconds(seconds);
    }

    /** A URL for the storage client, which adds its own address. */
    public String signedPath(StoredObject object, Duration life) {
        return urls.temporaryForClient(object.key(), life);
    }

    /** A URL by which a person without a credential may upload one object into the caller's folder. */
    public String uploadPath(Principal caller, String bucket, String path, boolean upsert) {
        ObjectKey key = requireOwn(caller, bucket, path);
        return urls.uploadForClient(key, tokens.forUpload(key, caller.actor(), upsert, UPLOAD_LIFE));
    }

    /** The objects whose paths begin with a prefix, page by page. */
    public ObjectSearch.SearchPage search(Principal caller, String bucket, ObjectSearch search) {
        CallersFolder.of(caller);
        return bucket.equals(ObjectKey.BUCKET)
                ? database.read(handle -> search.read(handle, caller.actor()))
                : ObjectSearch.SearchPage.NONE;
    }

    /** One level of the caller's folders. */
    public List<ObjectListing.Item> list(Principal caller, String bucket, ObjectListing listing) {
        CallersFolder.of(caller);
        return bucket.equals(ObjectKey.BUCKET)
                ? database.read(handle -> listing.read(handle, caller.actor()))
                : List.of();
    }

    public StoredObject move(Principal caller, String bucket, String from, String to) {
        ObjectKey source = requireOwn(caller, bucket, from);
        ObjectKey target = requireOwn(caller, bucket, to);
        return database.transact(handle -> {
            StoredObject object = lockOwn(handle, caller.actor(), source).orElseThrow(Attachments::noSuchObject);
            requireUnattached(object);
            if (!source.equals(target)) {
                if (ObjectStore.lock(handle, target).isPresent()) {
                    throw exists();
                }
                ObjectStore.rename(handle, object.id(), target, clock.instant());
            }
            return ObjectStore.find(handle, target).orElseThrow(Attachments::noSuchObject);
        });
    }

    /** Creates a second object with the same bytes. The caller need only be able to see the source. */
    public StoredObject copy(Principal caller, String bucket, String from, String to) {
        StoredObject source = require(caller, bucket, from);
        ObjectKey target = requireOwn(caller, bucket, to);
        return database.transact(handle -> {
            ObjectStore.lockUsage(handle, caller.actor());
            // The source is locked, so that its bytes still exist when the copy refers to them.
            StoredObject object = ObjectStore.lockShared(handle, source.key()).orElseThrow(Attachments::noSuchObject);
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            Quotas.count(handle, caller.actor(), 1, object.bytes(), limits);
            StoredObject copy = object.copiedTo(target, caller.actor(), now);
            insert(handle, copy);
            return copy;
        });
    }

    /**
     * Removes the existing objects among {@code paths}, all or none: one attached object prevents the removal of all.
     */
    public List<StoredObject> remove(Principal caller, String bucket, List<String> paths) {
        CallersFolder folder = CallersFolder.of(caller);
        List<ObjectKey> keys = paths.stream()
                .flatMap(path -> ObjectKey.of(bucket, path).stream())
                .filter(folder::holds)
                .distinct()
                .toList();
        return database.transact(handle -> {
            ObjectStore.lockUsage(handle, caller.actor());
            List<StoredObject> removed = ObjectStore.lock(handle, keys).stream()
                    .filter(object -> object.owner().equals(caller.actor()))
                    .toList();
            removed.forEach(StoredObjects::requireUnattached);
            ObjectStore.delete(handle, removed);
            Quotas.count(
                    handle,
                    caller.actor(),
                    -removed.size(),
                    -removed.stream().mapToLong(StoredObject::bytes).sum(),
                    limits);
            return removed;
        });
    }

    private static Optional<StoredObject> lockOwn(Handle handle, Actor owner, ObjectKey key) {
        ObjectStore.lockUsage(handle, owner);
        return ObjectStore.lock(handle, key).filter(object -> object.owner().equals(owner));
    }

    private static ObjectKey requireOwn(Principal caller, String bucket, String path) {
        CallersFolder folder = CallersFolder.of(caller);
        requireKnownBucket(bucket);
        ObjectKey key = ObjectKey.of(bucket, path)
                .orElseThrow(() -> ProblemException.invalidField(
                        "path", "must have 1 to " + ObjectKey.MAX_PATH + " bytes, and no empty, . or .. part"));
        if (!folder.holds(key)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "The path must be in the caller's own folder, " + folder.prefix() + ".");
        }
        return key;
    }

    private static void requireKnownBucket(String bucket) {
        if (!bucket.equals(ObjectKey.BUCKET)) {
            throw noSuchBucket();
        }
    }

    public static ProblemException noSuchBucket() {
        return new ProblemException(
                Problem.BUCKET_NOT_FOUND, "There is no such bucket; the only one is " + ObjectKey.BUCKET + ".");
    }

    private static void requireUnattached(StoredObject object) {
        if (object.attached()) {
            throw new ProblemException(
                    Problem.OBJECT_ATTACHED,
                    "The object is attached to a message; it cannot be replaced, moved or removed.");
        }
    }

    private static ProblemException exists() {
        return new ProblemException(Problem.OBJECT_EXISTS, "An object of this name exists already.");
    }
}
