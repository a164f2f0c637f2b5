package dev.parley.attachments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with bytes on their way into a store, with their length and name. Closing the staged blob deletes the file,
 * unless a store has moved it.
 */
public record StagedBlob(BlobId id, long bytes, Path file) implements AutoCloseable {
    /** True if the file still has the counted length. */
    boolean isWhole() throws IOException {
        return Files.size(file) == bytes;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "StagedBlob[" + id.hex() + ", " + bytes + " bytes]";
    }
}
