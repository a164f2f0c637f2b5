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
 * The front door of objects that people keep under names of their own choice. Everybody writes in the own folder only,
 * and sees besides it what hangs on messages that they may read. What hangs on a message stays as it is.
 */
public final class StoredObjects {
    /** How long a URL for somebody else's upload is good. */
    public static final Duration UPLOAD_LIFE = Duration.ofHours(2);
    /** The longest life of a URL that a client asks for. */
    public static final Duration MAX_LIFE = Duration.ofDays(7);

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

    /** Whether something may take the place of what is there already. */
    public enum Mode {
        /** There must be nothing yet. */
        CREATE,
        /** Either way. */
        UPSERT,
        /** There must be something. */
        REPLACE
    }

    /** Where something is to be put, by whom: found out before its bytes are taken in. */
    public record ObjectTarget(ObjectKey key, Actor owner, Mode mode) {}

    /** What a client says about an upload. */
    public record Label(
            @Nullable String declaredType,
            @Nullable String cacheControl,
            @Nullable String metadata) {}

    /** A place in the caller's own folder. */
    public ObjectTarget requirePlace(Principal caller, String bucket, String path, Mode mode) {
        return new ObjectTarget(requireOwn(caller, bucket, path), caller.actor(), mode);
    }

    /** A place that somebody allowed to be filled by a URL; one that is not good for it opens nothing. */
    public ObjectTarget requireGranted(String bucketAndPath, String token) {
        return tokens.verify(token, UrlTokens.Purpose.UPLOAD)
                .filter(grant -> ObjectUrls.names(bucketAndPath, grant.key()) && grant.holder() != null)
                .map(grant -> new ObjectTarget(
                        grant.key(),
                        Objects.requireNonNull(grant.holder()),
                        grant.upsert() ? Mode.UPSERT : Mode.CREATE))
                .orElseThrow(() -> new ProblemException(
                        Problem.OBJECT_NOT_FOUND, "This address allows no upload: its token is not good for it."));
    }

    /** Takes an upload in, before the rest of what came with it is known. */
    public ReceivedUpload receive(ObjectTarget target, InputStream bytes) throws IOException {
        return intake.receive(target.owner(), bytes);
    }

    /** Puts an upload where it belongs. */
    public StoredObject put(ObjectTarget target, ReceivedUpload received, Label label) {
        Intake.Kind kind = intake.anything(received, label.declaredType());
        LabelRule.require(label, maxMetadata);
        // Asked before the bytes are kept, so that what is refused leaves none; and again when it counts.
        database.read(handle -> {
            Optional<StoredObject> there = ObjectStore.find(handle, target.key());
            requireFitting(target, there);
            Quotas.requireRoom(handle, target.owner(), more(there), moreBytes(there, received), limits);
            return there;
        });
        blobs.keep(received.staged());
        return database.transact(handle -> {
            ObjectStore.lockUsage(handle, target.owner());
            Optional<StoredObject> there = ObjectStore.lock(handle, target.key());
            requireFitting(target, there);
            Quotas.count(handle, target.owner(), more(there), moreBytes(there, received), limits);
            StoredObject object = made(target, received, kind, label, there);
            there.ifPresentOrElse(former -> ObjectStore.replace(handle, former, object), () -> insert(handle, object));
            return object;
        });
    }

    private static long more(Optional<StoredObject> there) {
        return there.isPresent() ? 0 : 1;
    }

    private static long moreBytes(Optional<StoredObject> there, ReceivedUpload received) {
        return received.staged().bytes() - there.map(StoredObject::bytes).orElse(0L);
    }

    private static void requireFitting(ObjectTarget target, Optional<StoredObject> there) {
        if (there.isPresent() && target.mode() == Mode.CREATE) {
            throw exists();
        }
        if (there.isEmpty() && target.mode() == Mode.REPLACE) {
            throw Attachments.noSuchObject();
        }
        there.ifPresent(StoredObjects::requireFree);
    }

    private StoredObject made(
            ObjectTarget target, ReceivedUpload received, Intake.Kind kind, Label label, Optional<StoredObject> there) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return new StoredObject(
                there.map(StoredObject::id).orElseGet(UuidV7::next),
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
                there.map(StoredObject::createdAt).orElse(now),
                now);
    }

    /** Two who come at once wait for each other at the owner's usage, so this finds nobody faster. */
    private static void insert(Handle handle, StoredObject object) {
        if (!ObjectStore.insertIfFree(handle, object, ObjectStore.Origin.STORAGE)) {
            throw exists();
        }
    }

    /** The buckets that the caller may keep objects in; refuses callers that keep no objects at all. */
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

    /** An object that the caller may see: of the own folder, or shown in a thread that the caller may read. */
    public StoredObject require(Principal caller, String bucket, String path) {
        CallersFolder.of(caller);
        requireKnown(bucket);
        return visible.require(caller, bucket, path);
    }

    /** Those of these that the caller may see, by their paths. */
    public Map<String, StoredObject> find(Principal caller, String bucket, Collection<String> paths) {
        return visible.find(caller, bucket, paths).stream()
                .collect(Collectors.toMap(object -> object.key().path(), object -> object));
    }

    /** The object of a token that came along with its path; for everybody who has both. */
    public StoredObject requireOpened(String bucketAndPath, String token) {
        return urls.opened(bucketAndPath, token)
                .flatMap(key -> database.read(handle -> ObjectStore.find(handle, key)))
                .orElseThrow(Attachments::noSuchObject);
    }

    public InputStream open(StoredObject object, long from, long length) {
        return blobs.open(object, from, length);
    }

    /** How long a URL shall be good that a client asks for. */
    public static Duration requireLife(@Nullable Long seconds) {
        if (seconds == null || seconds < 1 || seconds > MAX_LIFE.toSeconds()) {
            throw ProblemException.invalidField(
                    "expiresIn", "must be a whole number of seconds, 1 to " + MAX_LIFE.toSeconds());
        }
        return Duration.ofSeconds(seconds);
    }

    /** A URL for the storage client, which puts its own address before it. */
    public String signedPath(StoredObject object, Duration life) {
        return urls.temporaryForClient(object.key(), life);
    }

    /** A URL by which somebody without a credential may put one object into the caller's folder. */
    public String uploadPath(Principal caller, String bucket, String path, boolean upsert) {
        ObjectKey key = requireOwn(caller, bucket, path);
        return urls.uploadForClient(key, tokens.forUpload(key, caller.actor(), upsert, UPLOAD_LIFE));
    }

    /** What begins with a prefix, page by page. */
    public ObjectSearch.SearchPage search(Principal caller, String bucket, ObjectSearch search) {
        CallersFolder.of(caller);
        return bucket.equals(ObjectKey.BUCKET)
                ? database.read(handle -> search.read(handle, caller.actor()))
                : ObjectSearch.SearchPage.NOTHING;
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
            requireFree(object);
            if (!source.equals(target)) {
                if (ObjectStore.lock(handle, target).isPresent()) {
                    throw exists();
                }
                ObjectStore.rename(handle, object.id(), target, clock.instant());
            }
            return ObjectStore.find(handle, target).orElseThrow(Attachments::noSuchObject);
        });
    }

    /** A second object with the same bytes; what it is copied from need only be visible. */
    public StoredObject copy(Principal caller, String bucket, String from, String to) {
        StoredObject source = require(caller, bucket, from);
        ObjectKey target = requireOwn(caller, bucket, to);
        return database.transact(handle -> {
            ObjectStore.lockUsage(handle, caller.actor());
            // Locked, so that its bytes are still there when the copy points at them.
            StoredObject object = ObjectStore.lockShared(handle, source.key()).orElseThrow(Attachments::noSuchObject);
            Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            Quotas.count(handle, caller.actor(), 1, object.bytes(), limits);
            StoredObject copy = object.copiedTo(target, caller.actor(), now);
            insert(handle, copy);
            return copy;
        });
    }

    /** Removes what there is of these, all of it or nothing: one that hangs on a message keeps the others, too. */
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
            removed.forEach(StoredObjects::requireFree);
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
        requireKnown(bucket);
        ObjectKey key = ObjectKey.of(bucket, path)
                .orElseThrow(() -> ProblemException.invalidField(
                        "path", "must have 1 to " + ObjectKey.MAX_PATH + " bytes, and no empty, . or .. part"));
        if (!folder.holds(key)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "Your own objects are under " + folder.prefix() + "; nothing else is yours.");
        }
        return key;
    }

    private static void requireKnown(String bucket) {
        if (!bucket.equals(ObjectKey.BUCKET)) {
            throw noSuchBucket();
        }
    }

    public static ProblemException noSuchBucket() {
        return new ProblemException(
                Problem.BUCKET_NOT_FOUND, "There is no such bucket; objects are kept in " + ObjectKey.BUCKET + ".");
    }

    private static void requireFree(StoredObject object) {
        if (object.attached()) {
            throw new ProblemException(
                    Problem.OBJECT_ATTACHED, "The object hangs on a message, so it stays where and as it is.");
        }
    }

    private static ProblemException exists() {
        return new ProblemException(Problem.OBJECT_EXISTS, "There is an object of this name already.");
    }
}
