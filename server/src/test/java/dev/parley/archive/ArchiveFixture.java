package dev.parley.archive;

import dev.parley.attachments.BlobId;
import dev.parley.attachments.FolderBlobs;
import dev.parley.attachments.StagedBlob;
import dev.parley.attachments.Staging;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogSettings;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** A database with our schema and a folder for blobs, without a server; and the output of the commands on them. */
final class ArchiveFixture implements AutoCloseable {
    static final Actor ADA = Actor.user(UUID.fromString("3f0e2a52-8f0c-4a4c-9a55-0d1c6a3f5b10"));

    private final TestDatabase scratch = RunningServer.freshDatabase();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    final Path data;

    ArchiveFixture() {
        try {
            data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "archive");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DatabaseAddress address() {
        return RunningServer.storage(scratch.address());
    }

    Path archive() {
        return data.resolve("export");
    }

    private Path blobs() {
        return data.resolve("blobs");
    }

    Progress progress() {
        return new Progress(new PrintStream(output, true, StandardCharsets.UTF_8), false);
    }

    /** The output of the commands. */
    String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    boolean export() {
        return export(archive(), address(), blobs(), progress());
    }

    static boolean export(Path archive, DatabaseAddress database, Path blobs, Progress progress) {
        return new Export(
                        archive,
                        database,
                        () -> FolderBlobs.beside(blobs),
                        files(Objects.requireNonNull(blobs.getParent())),
                        "test",
                        progress)
                .run();
    }

    boolean importFrom(Path archive) {
        return new Import(
                        archive,
                        address(),
                        () -> new FolderBlobs(blobs()),
                        data.resolve("importing"),
                        files(data),
                        progress())
                .run();
    }

    static ServerFiles files(Path data) {
        return new ServerFiles(data, List.of("secret"));
    }

    /** Takes a finished export back to the state before its manifest was finished. */
    void reopen() throws IOException {
        ArchiveFolder folder = new ArchiveFolder(archive());
        Manifest finished = folder.manifest();
        folder.write(new Manifest(
                finished.format(),
                finished.exportId(),
                finished.parley(),
                finished.schema(),
                finished.database(),
                finished.startedAt(),
                finished.columns(),
                null,
                Map.of(),
                0,
                0,
                List.of(),
                List.of(),
                Map.of(),
                null));
    }

    /** Takes a finished export back to the state after a kill before its last piece. */
    void dropLastPiece() throws IOException {
        Path pieces = new ArchiveFolder(archive()).piecesFile();
        List<String> lines = Files.readAllLines(pieces);
        // The last line is half written.
        Files.writeString(pieces, lines.getFirst() + "\n" + lines.getLast().substring(0, 20));
        reopen();
    }

    /** Stores a blob, and an object that has it. */
    BlobId keep(String name, byte[] bytes) throws IOException {
        Staging staging = new Staging(data.resolve("staging"));
        try (FolderBlobs store = store();
                StagedBlob staged =
                        staging.stage(new ByteArrayInputStream(bytes), bytes.length, IllegalStateException::new)) {
            store.put(staged.id(), staged);
            execute(
                    "insert into blobs (sha256, bytes) values (decode('%s', 'hex'), %d)"
                            .formatted(staged.id().hex(), bytes.length),
                    """
                    insert into objects (object_id, bucket, path, owner, sha256, bytes, mime_type, origin, created_at,
                        updated_at)
                    values (gen_random_uuid(), 'b', '%s', 'user:x', decode('%s', 'hex'), %d, 'image/png', 'storage',
                        now(), now())""".formatted(name, staged.id().hex(), bytes.length));
            return staged.id();
        }
    }

    boolean verify() {
        return new Verification(address(), progress()).run();
    }

    FolderBlobs store() {
        return new FolderBlobs(blobs());
    }

    /** Makes threads with messages, through the log itself. */
    List<ThreadId> appendMessages(int threads, int messages) {
        List<ThreadId> made = new ArrayList<>();
        try (Database database = Database.open(address(), 2);
                Log log = new Log(
                        database,
                        LogFeatures.NONE,
                        new LogSettings(1, 5_000, 50_000_000, 512, 8_000_000, Duration.ofSeconds(30)),
                        Clock.systemUTC(),
                        events -> {},
                        new SimpleMeterRegistry())) {
            for (int i = 0; i < threads; i++) {
                ThreadId thread = ThreadId.fresh();
                make(thread);
                made.add(thread);
                for (int n = 1; n <= messages; n++) {
                    EntryContent text = EntryContent.message(
                            UuidV7.next().toString(),
                            ADA,
                            Role.USER,
                            "Nachricht " + n + " 中文 العربية 👩‍👩‍👧 \t\n\\N \u0001");
                    log.append(Command.append(
                            thread, Draft.of(text, null, Fingerprint.of(text.text(), List.of(), null, null))));
                }
            }
        }
        return made;
    }

    void make(ThreadId thread) {
        execute("""
                insert into threads (thread_id, thread_type, participation_mode, created_by, created_at)
                values ('%s', 'private', 'open', '%s', now())""".formatted(thread, ADA), """
                insert into thread_heads (thread_id, last_created_at, head_hash)
                values ('%s', now(), decode(repeat('00', 32), 'hex'))""".formatted(thread));
    }

    void execute(String... statements) {
        try (Connection connection = address().connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    String select(String query) {
        try (Connection connection = address().connect()) {
            return select(connection, query);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String select(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? String.valueOf(row.getString(1)) : "nothing";
        }
    }

    /** The rows of each exported table, and a hash over all of them. */
    Map<String, String> digests() {
        return digests(address());
    }

    static Map<String, String> digests(DatabaseAddress address) {
        Map<String, String> digests = new TreeMap<>();
        try (Connection connection = address.connect()) {
            for (Table table : ArchivedTables.read(connection).all()) {
                String columns = table.columnNames().stream().map(Table::quoted).collect(Collectors.joining(", "));
                digests.put(table.name(), select(connection, """
                                select count(*) || ' ' || coalesce(md5(string_agg(r::text, e'\\n' order by r::text)), '')
                                from (select row(%s)::text as r from %s) as rows""".formatted(columns, table.quotedName())));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return digests;
    }

    @Override
    public void close() {
        scratch.close();
    }
}
