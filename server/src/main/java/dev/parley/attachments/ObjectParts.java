package dev.parley.attachments;

import dev.parley.limits.Limits;
import dev.parley.storage.Database;
import java.nio.file.Path;

/** The dependencies that the front doors of objects share. */
public record ObjectParts(Database database, Blobs blobs, Intake intake, ObjectUrls urls, UrlTokens tokens)
        implements AutoCloseable {
    /** @param staging a folder on this machine in which uploads arrive */
    public static ObjectParts of(
            Database database,
            BlobStore store,
            Path staging,
            ObjectUrls urls,
            UrlTokens tokens,
            Limits.Objects limits) {
        Blobs blobs = new Blobs(database, new Staging(staging), store);
        return new ObjectParts(database, blobs, new Intake(blobs, limits), urls, tokens);
    }

    @Override
    public void close() {
        intake.close();
    }
}
