package dev.parley.attachments;

import dev.parley.basics.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.function.Supplier;

/**
 * Takes bytes onto the local disk while they arrive, since neither their length nor their name is known before the last
 * one. What has lain in the folder for long at the start was left by a crash and is deleted.
 */
public final class Staging {
    private static final int BUFFER = 64 * 1024;

    private final Path folder;

    public Staging(Path folder) {
        this.folder = folder;
        try {
            PrivateFiles.makeFolders(folder);
            PrivateFiles.removeLeftovers(folder);
        } catch (IOException unusable) {
            throw unavailable(folder, unusable);
        }
    }

    /**
     * Reads to the end. Whatever goes wrong, nothing is left behind.
     *
     * @param tooLarge what to throw as soon as there are more bytes than the limit
     * @throws IOException if the source breaks
     */
    public StagedBlob stage(InputStream in, long limit, Supplier<? extends RuntimeException> tooLarge)
            throws IOException {
        Path file = freshFile();
        boolean whole = false;
        try {
            StagedBlob staged = copy(in, file, limit, tooLarge);
            whole = true;
            return staged;
        } finally {
            if (!whole) {
                Files.deleteIfExists(file);
            }
        }
    }

    static StagedBlob copy(InputStream in, Path file, long limit, Supplier<? extends RuntimeException> tooLarge)
            throws IOException {
        MessageDigest digest = Sha256.begin();
        byte[] buffer = new byte[BUFFER];
        long bytes = 0;
        try (OutputStream out = open(file)) {
            int read;
            while ((read = in.read(buffer)) >= 0) {
                if (read > limit - bytes) {
                    throw tooLarge.get();
                }
                digest.update(buffer, 0, read);
                write(out, buffer, read, file);
                bytes += read;
            }
        }
        return new StagedBlob(BlobId.of(digest.digest()), bytes, file);
    }

    private Path freshFile() {
        try {
            return PrivateFiles.freshFile(folder);
        } catch (IOException unusable) {
            throw unavailable(folder, unusable);
        }
    }

    private static OutputStream open(Path file) {
        try {
            return Files.newOutputStream(file);
        } catch (IOException unusable) {
            throw unavailable(file, unusable);
        }
    }

    /** A full disk is ours; a source that breaks is not. So the two must not look the same. */
    private static void write(OutputStream out, byte[] buffer, int length, Path file) {
        try {
            out.write(buffer, 0, length);
        } catch (IOException full) {
            throw unavailable(file, full);
        }
    }

    private static StorageUnavailable unavailable(Path place, IOException cause) {
        return new StorageUnavailable(place + " cannot be written to: " + cause + ".", cause);
    }
}
