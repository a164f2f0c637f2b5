package dev.parley.attachments;

import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An object with its metadata.
 *
 * @param mimeType that it is served as; an image type only if the bytes are such an image
 * @param width in pixels; null if it is no image
 * @param metadata from its storage client, as JSON text
 * @param attached true if a message shows it
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
    /** True if a browser may show it inline; any other object is only downloaded. */
    public boolean isImage() {
        return width != null;
    }

    /** The same bytes under another name and owner, unattached. */
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
