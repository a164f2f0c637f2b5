package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.StagedBlob;
import dev.parley.attachments.Staging;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Puts an archive's blobs into the configured store, and checks each blob by its hash. A blob that the store already
 * has is skipped.
 */
final class BlobImport {
    private final ImportableArchive archive;
    private final BlobStore store;
    private final Staging staging;
    private long count;

    BlobImport(ImportableArchive archive, BlobStore store, Staging staging) {
        this.archive = archive;
        this.store = store;
        this.staging = staging;
    }

    /** Returns the number of blobs. */
    long run() throws IOException {
        Set<String> absent = archive.manifest().absentBlobs();
        ArchivedBlobs.visit(archive.folder(), archive.pieces(), (id, bytes) -> {
            if (!absent.contains(id.hex())) {
                put(id, bytes);
                count++;
            }
        });
        return count;
    }

    private void put(BlobId id, long bytes) throws IOException {
        if (store.has(id)) {
            return;
        }
        Path file = archive.folder().blob(id);
        try (InputStream in = Files.newInputStream(file);
                StagedBlob staged = staging.stage(in, bytes, () -> damaged(file))) {
            if (!staged.id().equals(id)) {
                throw damaged(file);
            }
            store.put(id, staged);
        }
    }

    private static ArchiveRefused damaged(Path file) {
        return new ArchiveRefused("The file " + file
                + " is damaged: its bytes do not have the hash in its name. Repair the archive and import it again.");
    }
}
