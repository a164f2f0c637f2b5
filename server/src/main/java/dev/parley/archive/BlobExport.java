package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.MissingBlob;
import dev.parley.attachments.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams the blobs of objects into an archive, and checks each blob by its hash. A blob that the archive already
 * contains is not copied again.
 */
final class BlobExport implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final ArchiveFolder folder;
    private final Supplier<BlobStore> storeSupplier;
    private final Predicate<BlobId> held;
    private final List<String> missing = new ArrayList<>();
    private final List<String> erased = new ArrayList<>();
    private final byte[] buffer = new byte[BUFFER];
    private @Nullable BlobStore store;
    private long count;
    private long bytes;

    /** @param held the test that is true if an object still has the blob */
    BlobExport(ArchiveFolder folder, Supplier<BlobStore> storeSupplier, Predicate<BlobId> held) {
        this.folder = folder;
        this.storeSupplier = storeSupplier;
        this.held = held;
    }

    void copy(BlobId id, long length) throws IOException {
        Path file = folder.blob(id);
        if (Files.isRegularFile(file) && Files.size(file) == length || fetch(id, length, file)) {
            count++;
            bytes += length;
        } else if (held.test(id)) {
            missing.add(id.hex());
        } else {
            erased.add(id.hex());
        }
    }

    private boolean fetch(BlobId id, long length, Path file) throws IOException {
        Path parent = Objects.requireNonNull(file.getParent());
        if (!PrivateFiles.isFolder(parent)) {
            PrivateFiles.makeFolder(parent);
            PrivateFiles.sync(folder.blobs());
        }
        try (InputStream in = store().open(id, 0, length);
                AtomicFile target = new AtomicFile(parent, file.getFileName().toString())) {
            for (int read = read(in, id); read >= 0; read = read(in, id)) {
                target.write(buffer, read);
            }
            return target.finishAs(id.hex());
        } catch (MissingBlob missingBlob) {
            return false;
        }
    }

    /**
     * Reads from the store. A failure gets an exception of its own here, because otherwise it would look like a folder
     * that cannot be written to.
     */
    private int read(InputStream in, BlobId id) {
        try {
            return in.read(buffer);
        } catch (IOException failed) {
            throw new ArchiveRefused(
                    "Blob " + id.hex() + " of an object cannot be read from the store: " + failed
                            + ". Call the export again to continue it.",
                    failed);
        }
    }

    /** True if an object has this blob. */
    static boolean isHeld(Connection connection, BlobId id) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select exists (select from objects where sha256 = ?)")) {
            query.setBytes(1, id.bytes());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private BlobStore store() {
        BlobStore open = store == null ? storeSupplier.get() : store;
        store = open;
        return open;
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** The blobs that the store has lost or damaged although objects have them, in hex. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** The blobs that the store does not have because no object has them any more, in hex. */
    List<String> erased() {
        return List.copyOf(erased);
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
