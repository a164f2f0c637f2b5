package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.MissingBlob;
import dev.parley.attachments.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Copies the bytes of objects into an archive by stream, each checked by its hash. What is there already stays. */
final class BlobExport implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final ArchiveFolder folder;
    private final Supplier<BlobStore> opening;
    private final List<String> missing = new ArrayList<>();
    private final byte[] buffer = new byte[BUFFER];
    private @Nullable BlobStore store;
    private long count;
    private long bytes;

    BlobExport(ArchiveFolder folder, Supplier<BlobStore> opening) {
        this.folder = folder;
        this.opening = opening;
    }

    void copy(BlobId id, long length) throws IOException {
        Path file = folder.blob(id);
        if (Files.isRegularFile(file) && Files.size(file) == length || fetch(id, length, file)) {
            count++;
            bytes += length;
        } else {
            missing.add(id.hex());
        }
    }

    private boolean fetch(BlobId id, long length, Path file) throws IOException {
        Path parent = Objects.requireNonNull(file.getParent());
        PrivateFiles.makeFolder(parent);
        try (InputStream in = store().open(id, 0, length);
                RisingFile rising = new RisingFile(parent, file.getFileName().toString())) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                rising.write(buffer, read);
            }
            return rising.finishAs(id.hex());
        } catch (MissingBlob lost) {
            return false;
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

    /** Those that the store does not have, or not as they were, in hexadecimal digits. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
        }
    }
}
