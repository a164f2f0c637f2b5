package dev.parley.attachments;

import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An object with its metadata.
 *
 * @param mimeType the type under which the object is served; an image type only if the bytes are an image of this type
 * @param width the width in pixels; null if the object is no image
 * @param metadata the metadata from the storage client, as JSON text
 * @param attached true if a message shows the object
 */
public record StoredObject(
        UUID id,
        ObjectKey key,
        Actor owner,
        BlobId blob,
        long bytes,
        String mimeType,
        @Nullable String filename,
        @Nullable Integer width,
        @Nullable Integer height,
        @Nullable String cacheControl,
        @Nullable String metadata,
        boolean attached,
        Instant createdAt,
        Instant updatedAt) {
    /** True if a browser may show the object inline; any other object is only downloaded. */
    public boolean isImage() {
        return width != null;
    }

    /** A new, unattached object with the same bytes, under another name and owner. */
    StoredObject copiedTo(ObjectKey target, Actor newOwner, Instant now) {
        return new StoredObject(
                UuidV7.next(),
                target,
                newOwner,
                blob,
                bytes,
                mimeType,
                filename,
                width,
                height,
                cacheControl,
                metadata,
                false,
                now,
                now);
    }
}
