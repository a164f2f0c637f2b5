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
 * Blobs as files of a folder, {@code ab/cd/<hex>}. A file gets its name by a rename after its bytes are on the disk, so
 * that a name always stands for whole bytes, whenever the machine stops. Links in the folder are not followed.
 */
public final class FolderBlobs implements BlobStore {
    /** Where bytes that come from another file system wait for their name; no blob's folder has such a name. */
    static final String INCOMING = "incoming";

    private final Path folder;
    private final Path incoming;

    private FolderBlobs(Path folder, Path incoming) {
        this.folder = folder;
        this.incoming = incoming;
    }

    /** For reading while a server uses the folder: makes nothing in it, and removes nothing. */
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
            throw new IllegalArgumentException("These are the bytes " + staged.id() + ", not " + id + ".");
        }
        BlobPath place = place(id);
        try {
            if (size(place) != staged.bytes()) {
                place.makeFolders();
                take(staged, place);
            }
            // Also for a file that was there: whoever put it may not have come this far yet.
            PrivateFiles.sync(place.second());
            PrivateFiles.sync(place.first());
            PrivateFiles.sync(folder);
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    private void take(StagedBlob staged, BlobPath place) throws IOException {
        try {
            if (!staged.isWhole()) {
                throw new IOException("the staged file " + staged.file() + " is not whole");
            }
            PrivateFiles.sync(staged.file());
            Files.move(staged.file(), place.file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException elsewhere) {
            copy(staged, place.file());
        } catch (NoSuchFileException gone) {
            // Two callers may put the same staged bytes; the first one has moved the file.
            if (size(place) != staged.bytes()) {
                throw gone;
            }
        }
    }

    private void copy(StagedBlob staged, Path file) throws IOException {
        Path fresh = PrivateFiles.freshFile(incoming);
        try {
            // Written into the file that was made for the owner alone; a copied file would bring its own permissions.
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
            throw new IllegalArgumentException("There is no range of " + length + " bytes from " + from + ".");
        }
        BlobPath place = place(id);
        try {
            long size = size(place);
            if (size < 0 || from > size - length) {
                throw new MissingBlob(id);
            }
            FileChannel channel = PrivateFiles.openToRead(place.file());
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
            return size(place(id)) >= 0;
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    /** Not forced onto the disk: a blob that comes back after a crash does no harm. */
    @Override
    public void remove(BlobId id) {
        BlobPath place = place(id);
        try {
            if (size(place) >= 0) {
                Files.deleteIfExists(place.file());
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
                // A full disk still gives names away; only a byte shows that there is room.
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
        // Nothing is held open.
    }

    /** The length of a blob's file, or -1 where there is none. A link is none, whatever it points to. */
    private long size(BlobPath place) throws IOException {
        // Looked for because a folder that lost its disk is empty: it must not look like a store without blobs.
        if (!PrivateFiles.isFolder(incoming)) {
            throw new NotDirectoryException(incoming.toString());
        }
        if (!place.isReachable()) {
            return -1;
        }
        try {
            BasicFileAttributes found =
                    Files.readAttributes(place.file(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() ? found.size() : -1;
        } catch (NoSuchFileException none) {
            return -1;
        }
    }

    private BlobPath place(BlobId id) {
        Path first = folder.resolve(id.hex().substring(0, 2));
        Path second = first.resolve(id.hex().substring(2, 4));
        return new BlobPath(first, second, second.resolve(id.hex()));
    }

    /** Where a blob's file is, or would be, and the two folders above it. */
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
