package dev.parley.attachments;

import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An object as it stands.
 *
 * @param mimeType what it is served as; an image type only if the bytes are one
 * @param width in pixels; null if it is no image
 * @param metadata what a storage client said about it, as JSON text
 * @param attached whether it hangs on a message
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
    /** Whether a browser may show it in place; everything else is only ever downloaded. */
    public boolean isImage() {
        return width != null;
    }

    /** The same bytes under another name, for somebody who hung them on nothing yet. */
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
