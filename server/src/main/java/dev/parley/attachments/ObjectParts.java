package dev.parley.attachments;

import dev.parley.storage.Database;
import java.nio.file.Path;

/** What the front doors of objects share. */
public record ObjectParts(Database database, Blobs blobs, ObjectUrls urls, UrlTokens tokens) {
    /** @param staging a folder on this machine in which uploads arrive */
    public static ObjectParts of(Database database, BlobStore store, Path staging, ObjectUrls urls, UrlTokens tokens) {
        return new ObjectParts(database, new Blobs(database, new Staging(staging), store), urls, tokens);
    }
}
