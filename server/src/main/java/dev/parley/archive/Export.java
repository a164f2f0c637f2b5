package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.BlobStore;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.DatabaseAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a server's data into a folder, piece by piece, while servers keep running. Each thread is read in one
 * transaction and is consistent in itself; the shared tables come last. A repeated call continues after the last
 * finished piece. Rows are exported before blobs, because a blob stays in the store for a day after the last row that
 * names it is gone. Only an erasure removes a blob earlier, and then the export must not contain the blob.
 */
public final class Export {
    private static final long MAX_FILE_BYTES = 64L * 1024 * 1024;

    private final ArchiveFolder folder;
    private final DatabaseAddress database;
    private final Supplier<BlobStore> store;
    private final ServerFiles files;
    private final String parley;
    private final Progress progress;
    private final long maxFileBytes;

    /**
     * @param store the supplier of the store, called only if there are blobs to copy
     * @param files the files that are exported beside the database
     * @param parley the version of the program
     */
    public Export(
            Path path,
            DatabaseAddress database,
            Supplier<BlobStore> store,
            ServerFiles files,
            String parley,
            Progress progress) {
        this(path, database, store, files, parley, progress, MAX_FILE_BYTES);
    }

    Export(
            Path path,
            DatabaseAddress database,
            Supplier<BlobStore> store,
            ServerFiles files,
            String parley,
            Progress progress,
            long maxFileBytes) {
        this.folder = new ArchiveFolder(path.toAbsolutePath().normalize());
        this.database = database;
        this.store = store;
        this.files = files;
        this.parley = parley;
        this.progress = progress;
        this.maxFileBytes = maxFileBytes;
    }

    /** The tables that are not exported, because they have no use in another database. */
    public static Set<String> leftOut() {
        return ArchivedTables.LEFT_OUT.keySet();
    }

    /** Runs the export. False if the blobs of some objects are missing, although everything else is exported. */
    public boolean run() {
        try (Snapshots snapshots = Snapshots.of(database)) {
            requireEmptyOrUnfinished();
            folder.make();
            try (ArchiveLock _ = ArchiveLock.take(folder.path())) {
                Manifest manifest = begin(snapshots);
                return manifest.isFinished() ? alreadyFinished(manifest) : write(snapshots, manifest);
            }
        } catch (IOException | UncheckedIOException failed) {
            throw new ArchiveRefused("The folder " + folder.path() + " cannot be written to: " + failed + ".", failed);
        }
    }

    private void requireEmptyOrUnfinished() throws IOException {
        if (!folder.hasManifest() && !folder.isEmpty() && !folder.isWithoutManifest()) {
            throw new ArchiveRefused(
                    "The folder " + folder.path() + " is not empty, and holds no unfinished export; name another one.");
        }
    }

    private boolean alreadyFinished(Manifest manifest) {
        progress.say("The export in " + folder.path() + " was finished at " + manifest.finishedAt()
                + "; name another folder for a new one.");
        return manifest.missingBlobs().isEmpty();
    }

    private Manifest begin(Snapshots snapshots) throws IOException {
        Schema schema = snapshots.read(Schema::read);
        if (folder.hasManifest()) {
            Manifest begun = folder.manifest();
            if (begun.format() != Manifest.FORMAT || !begun.database().equals(schema.database())) {
                throw new ArchiveRefused(
                        "The folder " + folder.path() + " holds an export of another database; name another one.");
            }
            if (!begun.isFinished() && begun.schema() != schema.version()) {
                throw new ArchiveRefused("The export in " + folder.path() + " was begun with schema " + begun.schema()
                        + ", and the database has schema " + schema.version()
                        + " now; name another folder for a new export.");
            }
            return begun;
        }
        Map<String, List<String>> columns = snapshots.read(ArchivedTables::read).all().stream()
                .collect(Collectors.toMap(Table::name, Table::columnNames));
        Manifest manifest = Manifest.begun(parley, schema, columns);
        folder.write(manifest);
        return manifest;
    }

    private boolean write(Snapshots snapshots, Manifest manifest) throws IOException {
        ArchivePieces pieces = ArchivePieces.read(folder);
        pieces.open();
        folder.deleteUnfinished(pieces);
        ArchivedTables tables = snapshots.read(ArchivedTables::read);
        long already = pieces.rows().getOrDefault("entries", 0L);
        progress.begin(
                "messages exported",
                snapshots.read(connection ->
                        Snapshots.number(connection, "select coalesce(sum(last_seq), 0) from thread_heads")),
                already);
        if (already > 0) {
            progress.say("Continuing the export in " + folder.path() + ".");
        }
        while (!isComplete(pieces)) {
            pieces.add(next(snapshots, manifest, pieces, tables));
        }
        progress.end();
        Manifest finished = finish(snapshots, manifest, pieces);
        folder.write(finished);
        progress.say(String.format(
                Locale.ROOT,
                "Exported %,d messages of %,d threads, %,d rows in all, and %,d objects with %,d bytes to %s.",
                finished.rows().getOrDefault("entries", 0L),
                finished.rows().getOrDefault("threads", 0L),
                finished.rows().values().stream().mapToLong(Long::longValue).sum(),
                finished.blobs(),
                finished.blobBytes(),
                folder.path()));
        finished.missingBlobs()
                .forEach(sha256 -> progress.say("Blob " + sha256
                        + " of an object is missing in the store, or is damaged; it is not exported."));
        return finished.missingBlobs().isEmpty();
    }

    private static boolean isComplete(ArchivePieces pieces) {
        return !pieces.all().isEmpty() && pieces.all().getLast().isRest();
    }

    /** Reads the next piece: the next threads or, after the last thread, the rest. */
    private Piece next(Snapshots snapshots, Manifest manifest, ArchivePieces pieces, ArchivedTables tables) {
        int number = pieces.all().size() + 1;
        @Nullable
        UUID after = pieces.all().isEmpty() ? null : pieces.all().getLast().last();
        return snapshots.read(connection -> {
            Optional<ThreadRange> range = ThreadRange.after(connection, after);
            String directory = range.isPresent() ? ArchiveFolder.THREADS : ArchiveFolder.TABLES;
            String stem = String.format(Locale.ROOT, "%s/%06d", directory, number);
            try (RowWriter rows = new RowWriter(folder, stem, maxFileBytes)) {
                TableCopy copy = new TableCopy(connection, rows, progress::add);
                if (range.isEmpty()) {
                    long late = copyRest(connection, pieces, tables, copy);
                    return new Piece(number, null, late, rows.finish(), ChangesDuringExport.read(connection, manifest));
                }
                copy.copy(tables.byThread(), range.get());
                return new Piece(number, range.get().last().value(), range.get().threads(), rows.finish(), null);
            } catch (IOException unwritable) {
                throw new UncheckedIOException(unwritable);
            }
        });
    }

    /**
     * Copies the shared tables and, in the same transaction, the threads that were created during the export, because
     * the shared tables may refer to these threads. Returns the number of these threads.
     */
    private long copyRest(Connection connection, ArchivePieces pieces, ArchivedTables tables, TableCopy copy)
            throws SQLException, IOException {
        List<ThreadId> late = new LateThreads(connection, folder).find(pieces.all());
        for (ThreadId thread : late) {
            copy.copy(tables.byThread(), ThreadRange.of(thread));
        }
        copy.copy(tables.shared());
        return late.size();
    }

    /** Copies the data outside of the database, and returns the finished manifest. */
    private Manifest finish(Snapshots snapshots, Manifest manifest, ArchivePieces pieces) throws IOException {
        Predicate<BlobId> held = id -> snapshots.read(connection -> BlobExport.isHeld(connection, id));
        try (BlobExport blobs = new BlobExport(folder, store, held)) {
            ArchivedBlobs.visit(folder, pieces, blobs::copy);
            return manifest.finished(
                    snapshots.read(Schema::read).now(), pieces.rows(), blobs, files.save(folder), pieces.sha256());
        }
    }
}
