package dev.parley.archive;

import dev.parley.attachments.BlobStore;
import dev.parley.attachments.Staging;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.storage.DatabaseUnavailable;
import java.io.IOException;
import java.nio.file.Files;
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

/**
 * Brings an archive into an empty database and store. Every file is one transaction that also says that it is done, so
 * that an import that was killed goes on where it stood. At the end everything is verified.
 */
public final class Import {
    /** Any number that nothing else locks: two imports at once would each wait for the other's rows. */
    private static final long LOCK = 0x7061726c65793132L;

    private final Path path;
    private final DatabaseAddress database;
    private final Supplier<BlobStore> store;
    private final Path staging;
    private final Progress progress;

    /** @param staging a folder of the import's own, in which bytes are looked at before they are kept */
    public Import(Path path, DatabaseAddress database, Supplier<BlobStore> store, Path staging, Progress progress) {
        this.path = path;
        this.database = database;
        this.store = store;
        this.staging = staging;
        this.progress = progress;
    }

    /** Refuses a database into which something is still to be imported: servers would serve half of it. */
    public static void requireNoneUnfinished(Database database) {
        long unfinished =
                database.read(handle -> handle.createQuery("select count(*) from imports where finished_at is null")
                        .mapTo(Long.class)
                        .one());
        if (unfinished > 0) {
            throw new DatabaseUnavailable("An import into this database was begun and is not finished;"
                    + " call ./parley import again with the same folder, or begin anew with an empty database.");
        }
    }

    /** Refuses a folder that holds no finished export, before anything is made for it. */
    public static void requireFinished(Path path) {
        try {
            ImportableArchive.open(path);
        } catch (IOException unreadable) {
            throw new ArchiveRefused("The folder " + path + " cannot be read: " + unreadable + ".", unreadable);
        }
    }

    /** False if the verification at the end has found something. */
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
            throw new ArchiveRefused("The database did not take it: " + failed.getMessage() + ".", failed);
        } catch (IOException failed) {
            throw new ArchiveRefused("A file cannot be read: " + failed + ".", failed);
        }
    }

    private boolean run(ImportableArchive archive, Connection connection) throws SQLException, IOException {
        ArchivedTables tables = ArchivedTables.read(connection);
        archive.requireRoomIn(Schema.read(connection), tables);
        requireAlone(connection);
        ImportState state = new ImportState(connection, archive.manifest().exportId());
        Optional<ImportState.Row> begun = state.find();
        if (begun.isPresent() && begun.get().finishedAt() != null) {
            progress.say(
                    "This export was imported here already, at " + begun.get().finishedAt() + ".");
            return true;
        }
        int done = begun.map(ImportState.Row::files).orElse(0);
        if (begun.isEmpty()) {
            // Looked at first, since it is quick; written only once the archive is known to be whole.
            state.begin(tables.all());
            connection.rollback();
            progress.say("Checking the files of the export.");
            archive.requireWhole(0);
            state.begin(tables.all());
        } else {
            progress.say("Going on with an import that was interrupted.");
            archive.requireWhole(done);
        }
        connection.commit();
        load(archive, connection, state, done);
        return finish(archive, connection, state, tables);
    }

    private static void requireAlone(Connection connection) throws SQLException {
        if (Snapshots.number(connection, "select count(*) from nodes where alive_until > now()") > 0) {
            throw new ArchiveRefused("A server is running on this database; stop it, and wait for half a minute.");
        }
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
                load(archive.folder(), files.get(i), connection);
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

    private void load(ArchiveFolder folder, ArchivedFile file, Connection connection) throws SQLException, IOException {
        Map<String, Long> loaded = new HashMap<>();
        try (RowReader rows = RowReader.open(folder, file)) {
            Optional<List<@Nullable String>> row = rows.next();
            while (row.isPresent()) {
                RowWriter.Header header = rows.header();
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
            throw new ArchiveRefused("The file " + folder.file(file) + " has other rows than the export had counted.");
        }
    }

    private boolean finish(ImportableArchive archive, Connection connection, ImportState state, ArchivedTables tables)
            throws SQLException, IOException {
        ImportEnd end = new ImportEnd(connection);
        end.settle(tables);
        connection.commit();
        long blobs = 0;
        if (archive.manifest().blobs() > 0) {
            try (BlobStore open = store.get()) {
                blobs = new BlobImport(archive, open, new Staging(staging)).run();
            }
            Files.deleteIfExists(staging);
        }
        progress.say("Verifying what was imported.");
        boolean counted = end.countsFit(archive.manifest(), progress);
        connection.commit();
        boolean verified = new Verification(database, progress).run();
        end.fitThreads(archive.manifest());
        state.finish();
        connection.commit();
        Map<String, Long> rows = archive.manifest().rows();
        progress.say(String.format(
                Locale.ROOT,
                "Imported %,d messages of %,d threads, %,d rows in all, and %,d objects.",
                rows.getOrDefault("entries", 0L),
                rows.getOrDefault("threads", 0L),
                rows.values().stream().mapToLong(Long::longValue).sum(),
                blobs));
        return counted && verified;
    }
}
