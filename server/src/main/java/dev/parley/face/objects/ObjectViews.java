package dev.parley.face.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.Bucket;
import dev.parley.attachments.ObjectListing;
import dev.parley.attachments.ObjectSearch;
import dev.parley.attachments.StoredObject;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The storage client's views of objects. */
final class ObjectViews {
    private ObjectViews() {}

    record StoredView(
            @JsonProperty("Id") UUID id,
            @JsonProperty("Key") String key) {}

    record Moved(
            String message,
            @JsonProperty("Id") UUID id,
            @JsonProperty("Key") String key) {}

    /** The view of a bucket, which has no owner and is never public. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record BucketView(
            String id,
            String name,
            String owner,
            String type,
            @JsonProperty("public") boolean isPublic,
            long fileSizeLimit,
            @Nullable List<String> allowedMimeTypes,
            Instant createdAt,
            Instant updatedAt) {}

    record Signed(@JsonProperty("signedURL") String signedUrl) {}

    record SignedOne(
            @Nullable String error,
            String path,
            @JsonProperty("signedURL") @Nullable String signedUrl) {}

    record UploadUrl(String url) {}

    /** The metadata that the storage records about an object's bytes. */
    record BytesMetadata(
            @JsonProperty("eTag") String etag,
            long size,
            String mimetype,
            @Nullable String cacheControl,
            Instant lastModified,
            long contentLength,
            int httpStatusCode) {}

    /** An entry of a folder; a subfolder has only a name. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Entry(
            String name,
            @Nullable UUID id,
            @Nullable Instant updatedAt,
            @Nullable Instant createdAt,
            @Nullable Instant lastAccessedAt,
            @Nullable BytesMetadata metadata) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record FoundObject(
            String name,
            String key,
            UUID id,
            Instant updatedAt,
            Instant createdAt,
            Instant lastAccessedAt,
            BytesMetadata metadata) {}

    record FoundFolder(String name, String key) {}

    record SearchView(
            boolean hasNext,
            List<FoundFolder> folders,
            List<FoundObject> objects,
            @Nullable String nextCursor) {}

    /** All metadata of one object. In this view, {@code metadata} is the client's own metadata. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Description(
            UUID id,
            String version,
            String name,
            String bucketId,
            long size,
            String contentType,
            @Nullable String cacheControl,
            String etag,
            JsonNode metadata,
            Instant lastModified,
            Instant createdAt,
            Instant updatedAt) {}

    static BucketView bucket(Bucket bucket) {
        return new BucketView(
                bucket.name(),
                bucket.name(),
                "",
                "STANDARD",
                false,
                bucket.largestObject(),
                null,
                bucket.createdAt(),
                bucket.createdAt());
    }

    static StoredView kept(StoredObject object) {
        return new StoredView(object.id(), object.key().toString());
    }

    static Entry entry(ObjectListing.Item item) {
        StoredObject object = item.object();
        return object == null
                ? new Entry(item.name(), null, null, null, null, null)
                : new Entry(
                        item.name(),
                        object.id(),
                        object.updatedAt(),
                        object.createdAt(),
                        object.updatedAt(),
                        bytesMetadata(object));
    }

    /**
     * The view of a removed object. Its name is the whole path, because the removed objects may come from several
     * folders.
     */
    static Entry removed(StoredObject object) {
        return entry(new ObjectListing.Item(object.key().path(), object));
    }

    static SearchView found(ObjectSearch.SearchPage found) {
        return new SearchView(
                found.next() != null,
                found.items().stream()
                        .filter(item -> item.object() == null)
                        .map(item -> new FoundFolder(item.name(), Alphabet.SLASHES.strippedFromEnd(item.name())))
                        .toList(),
                found.items().stream()
                        .flatMap(item -> Stream.ofNullable(item.object()))
                        .map(ObjectViews::foundObject)
                        .toList(),
                found.next());
    }

    private static FoundObject foundObject(StoredObject object) {
        return new FoundObject(
                object.key().path(),
                object.key().path(),
                object.id(),
                object.updatedAt(),
                object.createdAt(),
                object.updatedAt(),
                bytesMetadata(object));
    }

    static Description description(StoredObject object) {
        return new Description(
                object.id(),
                object.blob().hex(),
                object.key().path(),
                object.key().bucket(),
                object.bytes(),
                object.mimeType(),
                object.cacheControl(),
                ServedObject.etag(object),
                Json.MAPPER.readTree(object.metadata() == null ? "{}" : object.metadata()),
                object.updatedAt(),
                object.createdAt(),
                object.updatedAt());
    }

    private static BytesMetadata bytesMetadata(StoredObject object) {
        return new BytesMetadata(
                ServedObject.etag(object),
                object.bytes(),
                object.mimeType(),
                object.cacheControl(),
                object.updatedAt(),
                object.bytes(),
                200);
    }
}
