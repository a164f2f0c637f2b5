package dev.parley.runs.input;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.protocol.Actor;
import dev.parley.protocol.UuidV7;
import java.time.Instant;

/** Stored objects for tests that do not need their bytes. */
final class SampleObjects {
    private SampleObjects() {}

    static StoredObject image(String name) {
        return new StoredObject(
                UuidV7.next(),
                new ObjectKey(ObjectKey.BUCKET, "agent-inputs/u/t/r/" + name),
                Actor.user(UuidV7.next()),
                new BlobId("0".repeat(64)),
                70,
                "image/png",
                name,
                1,
                1,
                null,
                null,
                false,
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
