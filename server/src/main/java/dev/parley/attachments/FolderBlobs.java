package dev.parley.attachments;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Blobs as files in a folder, {@code ab/cd/<hex>}. A file is renamed to its name only once its bytes are on the disk,
 * so a name always stands for a whole blob, even after a crash. Links in the folder are not followed.
 */
public final class FolderBlobs implements BlobStore {
    /** The folder for bytes that are copied from another file system. No folder of blobs has this name. */
    static final String INCOMING = "incoming";

    private final Path folder;
    private final Path incoming;

    private FolderBlobs(Path folder, Path incoming) {
        this.folder = folder;
        this.incoming = incoming;
    }

    /** Opens, for reading, a folder that a server already uses. Unlike the constructor, creates and removes nothing. */
    public static FolderBlobs beside(Path folder) {
        return new FolderBlobs(folder, folder.resolve(INCOMING));
    }

    public FolderBlobs(Path folder) {
        this(folder, folder.resolve(INCOMING));
        try {
            PrivateFiles.makeFolders(folder);
            PrivateFiles.makeFolder(incoming);
            PrivateFiles.removeLeftovers(incoming);
        } catch (IOException unusable) {
            throw unavailable(unusable);
        }
    }

    @Override
    public void put(BlobId id, StagedBlob staged) {
        if (!id.equals(staged.id())) {
            throw new IllegalArgumentException("The staged bytes are " + staged.id() + ", not " + id + ".");
        }
        BlobPath path = path(id);
        try {
            if (size(path) != staged.bytes()) {
                path.makeFolders();
                move(staged, path);
            }
            // The folders are synced for an existing file as well, because its writer may not have synced them yet.
            PrivateFiles.sync(path.second());
            PrivateFiles.sync(path.first());
            PrivateFiles.sync(folder);
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    private void move(StagedBlob staged, BlobPath path) throws IOException {
        try {
            if (!staged.isWhole()) {
                throw new IOException("the staged file " + staged.file() + " is not whole");
            }
            PrivateFiles.sync(staged.file());
            Files.move(staged.file(), path.file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException elsewhere) {
            copy(staged, path.file());
        } catch (NoSuchFileException gone) {
            // Two callers may store the same staged bytes; the first caller has moved the file.
            if (size(path) != staged.bytes()) {
                throw gone;
            }
        }
    }

    private void copy(StagedBlob staged, Path file) throws IOException {
        Path fresh = PrivateFiles.freshFile(incoming);
        try {
            // Writes into a file that only its owner may access; a copied file would keep its own permissions.
            try (OutputStream out = Files.newOutputStream(fresh)) {
                Files.copy(staged.file(), out);
            }
            if (Files.size(fresh) != staged.bytes()) {
                throw new IOException("the staged file " + staged.file() + " is not whole");
            }
            PrivateFiles.sync(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    @Override
    public InputStream open(BlobId id, long from, long length) {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("A range cannot have " + length + " bytes from " + from + ".");
        }
        BlobPath path = path(id);
        try {
            long size = size(path);
            if (size < 0 || from > size - length) {
                throw new MissingBlob(id);
            }
            FileChannel channel = PrivateFiles.openToRead(path.file());
            channel.position(from);
            return new ExactStream(Channels.newInputStream(channel), length, () -> {});
        } catch (NoSuchFileException removed) {
            throw new MissingBlob(id);
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public boolean has(BlobId id) {
        try {
            return size(path(id)) >= 0;
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    /** The removal is not synced to the disk, because a blob that reappears after a crash does no harm. */
    @Override
    public void remove(BlobId id) {
        BlobPath path = path(id);
        try {
            if (size(path) >= 0) {
                Files.deleteIfExists(path.file());
            }
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public void check() {
        try {
            Path trial = PrivateFiles.freshFile(incoming);
            try {
                // A full disk still creates names; only a written byte shows that there is room.
                Files.write(trial, new byte[1]);
            } finally {
                Files.deleteIfExists(trial);
            }
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public void close() {
        // No resource is held open.
    }

    /** The length of a blob's file, or -1 if the file does not exist. A link counts as a missing file. */
    private long size(BlobPath path) throws IOException {
        // If the disk is not mounted, the folder is empty. It must not look like a store without blobs.
        if (!PrivateFiles.isFolder(incoming)) {
            throw new NotDirectoryException(incoming.toString());
        }
        if (!path.isReachable()) {
            return -1;
        }
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path.file(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile() ? attributes.size() : -1;
        } catch (NoSuchFileException none) {
            return -1;
        }
    }

    private BlobPath path(BlobId id) {
        Path first = folder.resolve(id.hex().substring(0, 2));
        Path second = first.resolve(id.hex().substring(2, 4));
        return new BlobPath(first, second, second.resolve(id.hex()));
    }

    /** The path of a blob's file, which may not exist, and the two folders above it. */
    private record BlobPath(Path first, Path second, Path file) {
        boolean isReachable() {
            return PrivateFiles.isFolder(first) && PrivateFiles.isFolder(second);
        }

        void makeFolders() throws IOException {
            PrivateFiles.makeFolder(first);
            PrivateFiles.makeFolder(second);
        }
    }

    private StorageUnavailable unavailable(IOException cause) {
        return new StorageUnavailable("The folder " + folder + " cannot be used for objects: " + cause + ".", cause);
    }
}
