package dev.parley.archive;

import dev.parley.attachments.PrivateFiles;
import dev.parley.basics.Sha256;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A file that is written under a temporary name, while its bytes are hashed and counted. The file gets its final name
 * once all bytes are on the disk.
 */
final class AtomicFile implements Closeable {
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final Path file;
    private final Path partial;
    private final OutputStream out;
    private final MessageDigest digest = Sha256.begin();
    private long bytes;

    /** @param folder the folder, which must exist; a file with this name in the folder is replaced */
    AtomicFile(Path folder, String name) throws IOException {
        this.folder = folder;
        this.file = folder.resolve(name);
        this.partial = PrivateFiles.freshFile(folder);
        this.out = new BufferedOutputStream(Files.newOutputStream(partial), BUFFER);
    }

    void write(byte[] more) throws IOException {
        write(more, more.length);
    }

    void write(byte[] more, int length) throws IOException {
        out.write(more, 0, length);
        digest.update(more, 0, length);
        bytes += length;
    }

    long bytes() {
        return bytes;
    }

    /** Publishes the file, and returns its SHA-256 in hex. */
    String finish() throws IOException {
        String sha256 = HexFormat.of().formatHex(digest.digest());
        publish();
        return sha256;
    }

    /** Publishes the file if it has this SHA-256. */
    boolean finishAs(String sha256) throws IOException {
        if (!HexFormat.of().formatHex(digest.digest()).equals(sha256)) {
            return false;
        }
        publish();
        return true;
    }

    private void publish() throws IOException {
        out.close();
        PrivateFiles.sync(partial);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.sync(folder);
    }

    /** Deletes the file if it was not published. */
    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(partial);
    }
}
