package dev.parley.attachments;

import dev.parley.attachments.images.ImageType;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.log.ThreadPurger;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The front door of images in messages: uploads them, serves them to callers who may see them, and hands them to
 * agents.
 */
public final class Attachments implements ThreadPurger {
    /** The error message for every URL that names no usable object. */
    public static final String NOT_USABLE = "binary content url must be a valid signed URL";

    private static final int RELEASED_AT_ONCE = 500;

    private final Database database;
    private final VisibleObjects visible;
    private final Blobs blobs;
    private final Intake intake;
    private final ObjectUrls urls;
    private final Limits.Objects limits;
    private final int maxId;
    private final Clock clock;

    public Attachments(ObjectParts parts, Limits.Objects limits, int maxId, Clock clock) {
        this.database = parts.database();
        this.visible = new VisibleObjects(parts.database());
        this.blobs = parts.blobs();
        this.intake = parts.intake();
        this.urls = parts.urls();
        this.limits = limits;
        this.maxId = maxId;
        this.clock = clock;
    }

    /** Receives an upload before the rest of its request is known; refuses callers who may not upload. */
    public ReceivedUpload receive(Principal caller, InputStream bytes) throws IOException {
        CallersFolder.of(caller);
        return intake.receive(caller.actor(), bytes);
    }

    /** The description that a caller gives of an upload. */
    public record Label(
            @Nullable String threadId,
            @Nullable String runId,
            @Nullable String filename,
            @Nullable String declaredType) {}

    /** An uploaded image, and a URL to use it with. */
    public record Uploaded(StoredObject object, String url) {}

    /**
     * Stores an image in the caller's own folder.
     *
     * @param keyOf returns the caller's idempotency key, given everything that identifies the upload; empty if the
     *     caller sent no key
     */
    public Uploaded keep(
            Principal caller, ReceivedUpload received, Label label, Function<Object, Optional<RequestKey>> keyOf) {
        StoredObject object = keep(caller, received, intake.requireImage(received, label.declaredType()), label, keyOf);
        return new Uploaded(object, urls.temporary(object.key(), ObjectUrls.AFTER_UPLOAD));
    }

    /** Stores a file of any kind that came inside a message. A file that is declared as an image must be an image. */
    public StoredObject keepPart(Principal caller, byte[] bytes, Label label) {
        try (ReceivedUpload received = receive(caller, new ByteArrayInputStream(bytes))) {
            return keep(
                    caller,
                    received,
                    intake.messagePart(received, label.declaredType()),
                    label,
                    request -> Optional.empty());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Removes objects of one owner that were created for a refused request. Objects that a message shows are kept. */
    public void forget(List<StoredObject> newObject) {
        if (newObject.isEmpty()) {
            return;
        }
        Actor owner = newObject.getFirst().owner();
        database.transact(handle -> {
            ObjectStore.lockUsage(handle, owner);
            List<StoredObject> unused =
                    ObjectStore.lock(
                                    handle,
                                    newObject.stream().map(StoredObject::key).toList())
                            .stream()
                            .filter(object -> !object.attached())
                            .toList();
            ObjectStore.delete(handle, unused);
            long bytes = unused.stream().mapToLong(StoredObject::bytes).sum();
            Quotas.count(handle, owner, -unused.size(), -bytes, limits);
            return unused;
        });
    }

    private StoredObject keep(
            Principal caller,
            ReceivedUpload received,
            Intake.Kind kind,
            Label label,
            Function<Object, Optional<RequestKey>> keyOf) {
        String filename = label.filename() == null ? "" : label.filename();
        Text.requireStorable("file", filename);
        String runId = label.runId() == null ? "" : label.runId();
        Text.requireId("runId", runId);
        Text.requireAtMost("runId", runId, maxId);
        ObjectKey key = CallersFolder.of(caller).newPath(label.threadId(), label.runId(), filename);
        Optional<RequestKey> request =
                keyOf.apply(new UploadRequest(received.staged().id(), kind.mimeType(), label));
        Optional<StoredObject> before = request.flatMap(this::findEarlier);
        return before.orElseGet(() -> {
            // The quota is checked before the bytes are stored, so that a refused upload leaves no bytes. It is checked
            // again when the upload is counted.
            database.read(handle -> {
                Quotas.requireRoom(handle, caller.actor(), 1, received.staged().bytes(), limits);
                return key;
            });
            blobs.keep(received.staged());
            return insert(newObject(caller, key, received, kind, filename), request);
        });
    }

    private record UploadRequest(BlobId blob, String type, Label label) {}

    private Optional<StoredObject> findEarlier(RequestKey request) {
        return database.read(handle -> RequestKeys.find(handle, request)
                .map(id -> ObjectStore.find(handle, id).orElseThrow(() -> noSuchObject())));
    }

    private StoredObject newObject(
            Principal caller, ObjectKey key, ReceivedUpload received, Intake.Kind kind, String filename) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return new StoredObject(
                UuidV7.next(),
                key,
                caller.actor(),
                received.staged().id(),
                received.staged().bytes(),
                kind.mimeType(),
                filename.isBlank() ? null : Text.startWithin(filename, 255),
                kind.width(),
                kind.height(),
                null,
                null,
                false,
                now,
                now);
    }

    private StoredObject insert(StoredObject object, Optional<RequestKey> request) {
        return database.transact(handle -> {
            Optional<UUID> faster = request.flatMap(key -> RequestKeys.taken(handle, key, object.id()));
            if (faster.isPresent()) {
                return ObjectStore.find(handle, faster.get()).orElseThrow(Attachments::noSuchObject);
            }
            Quotas.count(handle, object.owner(), 1, object.bytes(), limits);
            ObjectStore.insert(handle, object, ObjectStore.Origin.ATTACHMENT);
            return object;
        });
    }

    /** A new URL of an object that the caller uploaded, or that was shown in a thread the caller may read. */
    public String urlFor(Principal caller, String bucket, String path) {
        return urls.temporary(visible.require(caller, bucket, path).key(), ObjectUrls.FOR_READING);
    }

    /** New URLs for the objects among {@code keys} that were shown in the thread, for a reader of the thread. */
    public Map<ObjectKey, String> linksIn(ThreadId thread, Collection<ObjectKey> keys) {
        return shownIn(thread, keys).keySet().stream()
                .collect(Collectors.toMap(key -> key, key -> urls.temporary(key, ObjectUrls.FOR_READING)));
    }

    /** The name in a URL, without its token; see {@link ObjectUrls#withoutToken}. */
    public Optional<String> nameIn(String url) {
        return urls.withoutToken(url);
    }

    /**
     * The image that a URL opens, if the URL is valid, the caller may use it, and it has the declared type.
     *
     * @param mimeType null if the caller declares no type
     */
    public Optional<StoredObject> usable(Principal caller, String url, @Nullable String mimeType) {
        return find(caller, url)
                .filter(StoredObject::isImage)
                .filter(object -> mimeType == null
                        || ImageType.ofMimeType(mimeType).equals(ImageType.ofMimeType(object.mimeType())));
    }

    /** The object that a URL opens, if the URL is valid and the caller may use it. */
    public Optional<StoredObject> find(Principal caller, String url) {
        return urls.parseSignedUrl(url).flatMap(key -> visible.find(caller, key));
    }

    /**
     * The objects among {@code keys} that were shown in the thread. A message's own metadata proves nothing: any client
     * can write any name there.
     */
    public Map<ObjectKey, StoredObject> shownIn(ThreadId thread, Collection<ObjectKey> keys) {
        return keys.isEmpty()
                ? Map.of()
                : database.read(handle -> ObjectStore.shownIn(handle, thread, keys)).stream()
                        .collect(Collectors.toMap(StoredObject::key, object -> object));
    }

    /** A range of an object's bytes. */
    public InputStream open(StoredObject object, long from, long length) {
        return blobs.open(object, from, length);
    }

    /** No tables, because objects belong to their owners. {@link #release} removes the thread's uses of objects. */
    @Override
    public List<String> tables() {
        return List.of();
    }

    /**
     * Releases the objects that a deleted thread showed. An object that no other thread shows becomes unattached again.
     */
    @Override
    public void release(ThreadId thread) {
        int released = RELEASED_AT_ONCE;
        while (released == RELEASED_AT_ONCE) {
            released = database.transact(handle -> ObjectStore.release(handle, thread, RELEASED_AT_ONCE));
        }
    }

    /** Throws unless the store can be written to right now. */
    public void checkStore() {
        blobs.check();
    }

    static ProblemException noSuchObject() {
        return new ProblemException(Problem.OBJECT_NOT_FOUND, "There is no such object.");
    }
}
