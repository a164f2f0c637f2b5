package dev.parley.archive;

import dev.parley.attachments.BlobStore;
import dev.parley.attachments.PrivateFiles;
import dev.parley.attachments.Staging;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.storage.DatabaseUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads an archive into an empty database and store. Each file is loaded in one transaction that also records the
 * progress, so that a killed import continues where it stopped. At the end everything is verified.
 */
public final class Import {
    private static final String UNFINISHED = "An import into this database was begun and is not finished;"
            + " call ./parley import again with the same folder, or start again with an empty database.";

    /**
     * The advisory lock that keeps out a second import, because two concurrent imports would wait for each other's
     * rows. The number is arbitrary; no other lock uses it.
     */
    private static final long LOCK = 0x7061726c65793132L;

    private static final Logger LOG = LoggerFactory.getLogger(Import.class);

    private final Path path;
    private final DatabaseAddress database;
    private final Supplier<BlobStore> store;
    private final Path staging;
    private final ServerFiles serverFiles;
    private final Progress progress;

    /**
     * @param staging a folder of the import's own, in which blobs are checked before they are stored
     * @param serverFiles the destination of files that were exported beside the database
     */
    public Import(
            Path path,
            DatabaseAddress database,
            Supplier<BlobStore> store,
            Path staging,
            ServerFiles serverFiles,
            Progress progress) {
        this.path = path;
        this.database = database;
        this.store = store;
        this.staging = staging;
        this.serverFiles = serverFiles;
        this.progress = progress;
    }

    /**
     * Refuses a database with an unfinished import, because a server would serve a part of the data as if it were all.
     */
    public static void requireNoneUnfinished(Database database) {
        long unfinished =
                database.read(handle -> handle.createQuery("select count(*) from imports where finished_at is null")
                        .mapTo(Long.class)
                        .one());
        if (unfinished > 0) {
            throw new DatabaseUnavailable(UNFINISHED);
        }
    }

    /**
     * Refuses a database with an unfinished import for a command that reads, because a part of the data must not pass
     * for all of it.
     */
    public static void requireNoneUnfinished(DatabaseAddress database) {
        try (Connection connection = database.connect()) {
            if (Snapshots.number(connection, "select (to_regclass('imports') is not null)::int") == 1
                    && Snapshots.number(connection, "select count(*) from imports where finished_at is null") > 0) {
                throw new ArchiveRefused(UNFINISHED);
            }
        } catch (SQLException failed) {
            throw new ArchiveRefused("The database does not answer: " + failed.getMessage() + ".", failed);
        }
    }

    /**
     * Warns of imports whose verification had findings. Servers start on such an import, because it may be the only
     * data that there is.
     */
    public static void warnOfUnsound(Database database) {
        List<String> unsound =
                database.read(handle -> handle.createQuery("select export_id::text from imports where not sound")
                        .mapTo(String.class)
                        .list());
        unsound.forEach(
                export -> LOG.warn("Import of export {} had findings; call ./parley verify to see them", export));
    }

    /** Refuses a folder without a finished export, before anything is created for it. */
    public static void requireFinished(Path path) {
        try {
            ImportableArchive.open(path);
        } catch (IOException unreadable) {
            throw new ArchiveRefused("The folder " + path + " cannot be read: " + unreadable + ".", unreadable);
        }
    }

    /** Runs the import. False if the final verification has findings. */
    public boolean run() {
        try {
            ImportableArchive archive = ImportableArchive.open(path);
            Database.open(database, 1).close();
            try (Connection connection = database.connect()) {
                Snapshots.prepare(connection);
                connection.setAutoCommit(false);
                return run(archive, connection);
            }
        } catch (SQLException failed) {
            throw new ArchiveRefused("The import failed in the database: " + failed.getMessage() + ".", failed);
        } catch (IOException failed) {
            throw new ArchiveRefused("A file cannot be read: " + failed + ".", failed);
        }
    }

    private boolean run(ImportableArchive archive, Connection connection) throws SQLException, IOException {
        ArchivedTables tables = ArchivedTables.read(connection);
        archive.requireSchema(Schema.read(connection), tables);
        requireExclusive(connection);
        ImportState state = new ImportState(connection, archive.manifest().exportId());
        Optional<ImportState.Row> begun = state.find();
        if (begun.isPresent() && begun.get().finishedAt() != null) {
            return alreadyFinished(begun.get());
        }
        int done = begun.map(ImportState.Row::files).orElse(0);
        if (done == 0) {
            begin(archive, connection, state, tables);
        } else {
            progress.say("Continuing an interrupted import.");
            archive.requireWhole(done);
        }
        // The files are restored before the rows. A server that starts during the import is refused, but would still
        // create secrets of its own if the files were missing.
        restoreServerFiles(archive);
        load(archive, connection, state, done);
        return finish(archive, connection, state, tables);
    }

    private boolean alreadyFinished(ImportState.Row row) {
        progress.say("This export was imported here already, at " + row.finishedAt() + "."
                + (row.sound()
                        ? ""
                        : " Its verification had findings; call ./parley verify,"
                                + " or import it into an empty database to see all of them."));
        return row.sound();
    }

    private void begin(ImportableArchive archive, Connection connection, ImportState state, ArchivedTables tables)
            throws SQLException, IOException {
        // The check for an empty database comes first, because it is quick. It is rolled back, and repeated after the
        // archive is known to be whole.
        state.clear(tables.all());
        connection.rollback();
        progress.say("Checking the files of the export.");
        archive.requireWhole(0);
        state.announce();
        connection.commit();
        try {
            // A server that started without seeing the announcement is visible by now, or checks for imports again.
            requireNoServer(connection);
            state.clear(tables.all());
        } catch (ArchiveRefused refused) {
            connection.rollback();
            state.withdraw();
            connection.commit();
            throw refused;
        }
        connection.commit();
    }

    private static void requireNoServer(Connection connection) throws SQLException {
        if (Snapshots.number(connection, "select count(*) from nodes where alive_until > now()") > 0) {
            throw new ArchiveRefused("A server is running on this database; stop it, and wait for half a minute.");
        }
    }

    private static void requireExclusive(Connection connection) throws SQLException {
        requireNoServer(connection);
        if (Snapshots.number(connection, "select pg_try_advisory_lock(" + LOCK + ")::int") == 0) {
            throw new ArchiveRefused("Another import into this database is running.");
        }
    }

    private void load(ImportableArchive archive, Connection connection, ImportState state, int done)
            throws SQLException, IOException {
        List<ArchivedFile> files = archive.files();
        progress.begin(
                "messages imported",
                archive.manifest().rows().getOrDefault("entries", 0L),
                files.subList(0, done).stream().mapToLong(Import::messages).sum());
        for (int i = done; i < files.size(); i++) {
            try {
                load(archive, files.get(i), connection);
                state.advance(i + 1);
                connection.commit();
            } catch (RuntimeException | SQLException | IOException failed) {
                connection.rollback();
                throw failed;
            }
        }
        progress.end();
    }

    private static long messages(ArchivedFile file) {
        return file.rows().getOrDefault("entries", 0L);
    }

    private void load(ImportableArchive archive, ArchivedFile file, Connection connection)
            throws SQLException, IOException {
        Map<String, Long> loaded = new HashMap<>();
        try (RowReader rows = RowReader.open(archive.folder(), file)) {
            Optional<List<@Nullable String>> row = rows.next();
            while (row.isPresent()) {
                RowWriter.Header header = rows.header();
                archive.requireInManifest(header);
                try (TableLoad load = new TableLoad(connection, header)) {
                    while (row.isPresent() && rows.header().equals(header)) {
                        load.add(row.get());
                        if (header.table().equals("entries")) {
                            progress.add(1);
                        }
                        row = rows.next();
                    }
                    loaded.merge(header.table(), load.finish(), Long::sum);
                }
            }
            rows.requireWhole();
        }
        if (!loaded.equals(file.rows())) {
            throw new ArchiveRefused(
                    "The file " + archive.folder().file(file) + " does not have the rows that the export counted.");
        }
    }

    private boolean finish(ImportableArchive archive, Connection connection, ImportState state, ArchivedTables tables)
            throws SQLException, IOException {
        ImportEnd end = new ImportEnd(connection);
        end.settle(tables);
        connection.commit();
        long blobs = archive.manifest().blobs() == 0 ? 0 : copyBlobs(archive);
        progress.say("Verifying the imported data.");
        boolean counted = end.countsFit(archive.manifest(), progress);
        connection.commit();
        boolean sound = new Verification(database, progress).run() && counted;
        end.fitThreads(archive.manifest(), archive.pieces().meanwhile());
        state.finish(sound);
        connection.commit();
        Map<String, Long> rows = archive.manifest().rows();
        progress.say(String.format(
                Locale.ROOT,
                "Imported %,d messages of %,d threads, %,d rows in all, and %,d objects.",
                rows.getOrDefault("entries", 0L),
                rows.getOrDefault("threads", 0L),
                rows.values().stream().mapToLong(Long::longValue).sum(),
                blobs));
        return sound;
    }

    private long copyBlobs(ImportableArchive archive) throws IOException {
        // Removes the files that a killed import left, because nothing would ever finish them.
        PrivateFiles.remove(staging);
        try (BlobStore open = store.get()) {
            return new BlobImport(archive, open, new Staging(staging)).run();
        } finally {
            PrivateFiles.remove(staging);
        }
    }

    private void restoreServerFiles(ImportableArchive archive) throws IOException {
        for (String name :
                serverFiles.restore(archive.folder(), archive.manifest().serverFiles())) {
            progress.say("The data folder has a file " + name
                    + " of its own and keeps it; tokens and URLs signed with the exported one are not valid here.");
        }
    }
}
