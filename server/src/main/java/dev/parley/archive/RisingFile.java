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

/** A file being written under another name, hashed and counted on the way. It gets its own name when all of it is on the disk. */
final class RisingFile implements Closeable {
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final Path file;
    private final Path fresh;
    private final OutputStream out;
    private final MessageDigest digest = Sha256.begin();
    private long bytes;

    /** @param folder there already; a file of this name is replaced */
    RisingFile(Path folder, String name) throws IOException {
        this.folder = folder;
        this.file = folder.resolve(name);
        this.fresh = PrivateFiles.freshFile(folder);
        this.out = new BufferedOutputStream(Files.newOutputStream(fresh), BUFFER);
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

    /** Puts it in its place, and gives its SHA-256 in hexadecimal digits. */
    String finish() throws IOException {
        String sha256 = HexFormat.of().formatHex(digest.digest());
        place();
        return sha256;
    }

    /** Puts it in its place if its SHA-256 is this one. */
    boolean finishAs(String sha256) throws IOException {
        if (!HexFormat.of().formatHex(digest.digest()).equals(sha256)) {
            return false;
        }
        place();
        return true;
    }

    private void place() throws IOException {
        out.close();
        PrivateFiles.sync(fresh);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.sync(folder);
    }

    /** Forgets it, if it was not finished. */
    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(fresh);
    }
}
