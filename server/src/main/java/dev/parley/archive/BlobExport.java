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

/** Copies the bytes of objects into an archive by stream, each checked by its hash. What is there already stays. */
final class BlobExport implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final ArchiveFolder folder;
    private final Supplier<BlobStore> opening;
    private final Predicate<BlobId> held;
    private final List<String> missing = new ArrayList<>();
    private final List<String> erased = new ArrayList<>();
    private final byte[] buffer = new byte[BUFFER];
    private @Nullable BlobStore store;
    private long count;
    private long bytes;

    /** @param held whether an object still needs these bytes, by now */
    BlobExport(ArchiveFolder folder, Supplier<BlobStore> opening, Predicate<BlobId> held) {
        this.folder = folder;
        this.opening = opening;
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
                RisingFile rising = new RisingFile(parent, file.getFileName().toString())) {
            for (int read = read(in, id); read >= 0; read = read(in, id)) {
                rising.write(buffer, read);
            }
            return rising.finishAs(id.hex());
        } catch (MissingBlob lost) {
            return false;
        }
    }

    /** A storage that breaks is not a folder that cannot be written to. */
    private int read(InputStream in, BlobId id) {
        try {
            return in.read(buffer);
        } catch (IOException broken) {
            throw new ArchiveRefused(
                    "The bytes " + id.hex() + " of an object cannot be read from the storage: " + broken
                            + ". Call the export again to go on.",
                    broken);
        }
    }

    /** Whether there is an object with these bytes. */
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
        BlobStore open = store == null ? opening.get() : store;
        store = open;
        return open;
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** Those of an object that the store does not have, or not as they were, in hexadecimal digits. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** Those that the store does not have because nobody needs them any more. */
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
