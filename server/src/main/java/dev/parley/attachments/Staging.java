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
 * Writes arriving bytes to the local disk, because their length and name are known only at the end. At the start,
 * deletes old files that a crash has left in the folder.
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
     * Reads the stream to its end; a failure leaves no file.
     *
     * @param tooLarge the exception for more bytes than the limit
     * @throws IOException if the source fails
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

    /** Writes bytes, and reports a failure as the server's fault, unlike a failure of the source. */
    private static void write(OutputStream out, byte[] buffer, int length, Path file) {
        try {
            out.write(buffer, 0, length);
        } catch (IOException full) {
            throw unavailable(file, full);
        }
    }

    private static StorageUnavailable unavailable(Path path, IOException cause) {
        return new StorageUnavailable(path + " cannot be written to: " + cause + ".", cause);
    }
}
