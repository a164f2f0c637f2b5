package dev.parley.testkit;

import dev.parley.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One real PostgreSQL for all tests of this JVM. It starts on the first use and stops when the JVM ends. Its data is in
 * memory, or under the module's target folder if memory has too little space. Tests get databases of their own, copied
 * from templates.
 */
public final class TestPostgres {
    private static final int MAX_JVMS = 8;
    private static final String MAINTENANCE = "postgres";
    private static final Map<String, String> ON_DISK = Map.of("max_connections", "200", "scram_iterations", "1");
    /**
     * The settings of a server whose data is in memory, where recycling old WAL files, or filling new ones in advance,
     * gains nothing.
     */
    private static final Map<String, String> IN_MEMORY = Map.of(
            "max_connections", "200",
            "scram_iterations", "1",
            "max_wal_size", "256MB",
            "min_wal_size", "32MB",
            "wal_recycle", "off",
            "wal_init_zero", "off");
    /** Keeps the locks reachable for the life of the JVM, because garbage collection would release them. */
    private static final Queue<FileLock> HELD = new ConcurrentLinkedQueue<>();

    private final EmbeddedPostgres server;
    private final Map<String, Template> templates = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /** A prepared database that is copied to make fresh databases. */
    public record Template(String database) {}

    private static final class Shared {
        static final TestPostgres INSTANCE = start();
    }

    private TestPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    public static TestPostgres shared() {
        return Shared.INSTANCE;
    }

    /**
     * The folder of the unpacked programs. All servers of a module share the folder, because unpacking takes longer
     * than a start.
     */
    public static Path programs() {
        return Path.of("target", "test-postgres-programs").toAbsolutePath();
    }

    private static TestPostgres start() {
        Path target = Path.of("target").toAbsolutePath();
        Path onDisk = freeFolder(target.resolve("test-postgres"));
        Optional<MemoryFolder> memory = MemoryFolder.standingFor(target);
        Path data = memory.map(folder -> folder.path().resolve(onDisk.getFileName()))
                .orElse(onDisk);
        EmbeddedPostgres server = EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                data,
                programs(),
                memory.isPresent() ? IN_MEMORY : ON_DISK,
                Duration.ofSeconds(90),
                Duration.ofSeconds(20)));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            memory.ifPresent(folder -> folder.delete(data));
                        },
                        "test-postgres-stop"));
        TestPostgres started = new TestPostgres(server);
        started.dropLeftovers();
        started.makeConnectingCheap();
        return started;
    }

    /**
     * Stores the user's password again, with one round of hashing (scram_iterations) instead of thousands. Tests
     * connect so often that thousands of rounds would take much of their CPU time.
     */
    private void makeConnectingCheap() {
        execute("alter role " + quoted(server.user()) + " password '" + server.password() + "'");
    }

    /**
     * The first folder that no other JVM uses. The folder has the same name in every run. Therefore a cluster on disk
     * is created only once, and the launcher finds the leftovers of a killed JVM.
     */
    private static Path freeFolder(Path root) {
        try {
            Files.createDirectories(root);
            for (int i = 1; i <= MAX_JVMS; i++) {
                FileChannel file = FileChannel.open(
                        root.resolve(i + ".taken"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.tryLock();
                if (lock != null) {
                    HELD.add(lock);
                    return root.resolve(Integer.toString(i));
                }
                file.close();
            }
            throw new IllegalStateException(MAX_JVMS + " other JVMs use the test databases under " + root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The template with this name. The first caller prepares the template while other callers wait. The preparation
     * must close its connections.
     */
    public Template template(String name, Consumer<DatabaseAddress> prepare) {
        return templates.computeIfAbsent(name, key -> {
            String database = "template_" + key;
            execute("create database " + quoted(database));
            prepare.accept(address(database));
            // A connection that is still open would make every copy fail.
            execute("alter database " + quoted(database) + " allow_connections false");
            execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + database + "'");
            return new Template(database);
        });
    }

    /** Copies the files of a template, which is quicker than a copy that logs every block. */
    public TestDatabase freshDatabase(Template template) {
        return create(" template " + quoted(template.database()) + " strategy file_copy");
    }

    public TestDatabase emptyDatabase() {
        return create("");
    }

    private TestDatabase create(String options) {
        String name = "test_" + count.incrementAndGet();
        execute("create database " + quoted(name) + options);
        return new TestDatabase(this, name);
    }

    DatabaseAddress address(String database) {
        return new DatabaseAddress(server.jdbcUrl(database), server.user(), server.password());
    }

    void drop(String database) {
        execute("drop database if exists " + quoted(database) + " with (force)");
    }

    /** Drops the databases of killed JVMs. */
    private void dropLeftovers() {
        List<String> names = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select datname from pg_database where datname like 'test\\_%' or datname like 'template\\_%'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The test databases cannot be listed", e);
        }
        names.forEach(this::drop);
    }

    private void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("The test PostgreSQL refused: " + sql, e);
        }
    }

    private Connection connect() throws SQLException {
        DatabaseAddress address = address(MAINTENANCE);
        return address.connect();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
