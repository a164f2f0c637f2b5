package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.postgresql.Driver;
import org.postgresql.util.URLCoder;

/**
 * A running PostgreSQL that this process owns. PostgreSQL listens on a loopback port only and asks for a password. The
 * owner closes this object. If the owner is killed first, the next start on the same data folder cleans up.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    static final String USER = "parley";

    private static final String DUPLICATE_DATABASE = "42P04";
    private static final List<String> DURABILITY = List.of("fsync", "full_page_writes", "synchronous_commit");

    private final Settings settings;
    private final Installation installation;
    private final FolderLock lock;
    private final String password;
    private final List<Runnable> exitActions = new CopyOnWriteArrayList<>();
    private volatile Postmaster postmaster;
    private boolean closed;

    private EmbeddedPostgres(
            Settings settings, Installation installation, FolderLock lock, String password, Postmaster postmaster) {
        this.settings = settings;
        this.installation = installation;
        this.lock = lock;
        this.password = password;
        this.postmaster = postmaster;
    }

    /**
     * The folders, the parameters and the time limits of a PostgreSQL. The folder of the unpacked programs may serve
     * many data folders, but must not be inside of a data folder. The parameters are postgresql.conf settings on top of
     * {@link #DEFAULTS}.
     */
    public record Settings(
            Path dataFolder,
            Path binariesFolder,
            Map<String, String> parameters,
            Duration startLimit,
            Duration stopLimit) {

        public static final Map<String, String> DEFAULTS = Map.ofEntries(
                Map.entry("shared_buffers", "128MB"),
                Map.entry("max_connections", "60"),
                Map.entry("max_wal_size", "1GB"),
                Map.entry("checkpoint_completion_target", "0.9"),
                Map.entry("jit", "off"),
                Map.entry("password_encryption", "scram-sha-256"),
                Map.entry("timezone", "UTC"),
                Map.entry("log_timezone", "UTC"),
                Map.entry("log_min_messages", "warning"),
                Map.entry("log_checkpoints", "off"));

        /** Settings that the launcher itself relies on: loopback only, no socket files, English messages in one log. */
        private static final Map<String, String> FIXED = Map.of(
                "listen_addresses",
                Postmaster.HOST,
                "unix_socket_directories",
                "",
                "lc_messages",
                "C",
                "log_destination",
                "stderr",
                "logging_collector",
                "off");

        private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.]*");

        public Settings {
            dataFolder = dataFolder.toAbsolutePath().normalize();
            binariesFolder = binariesFolder.toAbsolutePath().normalize();
            parameters = Map.copyOf(parameters);
            if (binariesFolder.startsWith(dataFolder)) {
                throw new PostgresUnavailable(
                        "The folder of the PostgreSQL programs (%s) must not lie in the data folder."
                                .formatted(binariesFolder));
            }
            for (String name : parameters.keySet()) {
                if (!NAME.matcher(name).matches() || FIXED.containsKey(name) || name.equals("port")) {
                    throw new PostgresUnavailable(
                            "The PostgreSQL setting \"%s\" is fixed by Parley; remove it.".formatted(name));
                }
            }
        }

        public static Settings of(Path dataFolder, Path binariesFolder) {
            return new Settings(dataFolder, binariesFolder, Map.of(), Duration.ofSeconds(60), Duration.ofSeconds(20));
        }

        Map<String, String> allParameters() {
            Map<String, String> all = new TreeMap<>(DEFAULTS);
            all.putAll(parameters);
            all.putAll(FIXED);
            return all;
        }
    }

    /**
     * Starts PostgreSQL on the data folder, creates the missing parts of the folder, and returns once PostgreSQL
     * accepts connections.
     *
     * @throws PostgresUnavailable if PostgreSQL cannot start, with a sentence for the operator
     */
    public static EmbeddedPostgres start(Settings settings) {
        Binaries binaries = Binaries.unpackedIn(settings.binariesFolder());
        DataFolder folder = DataFolder.open(settings.dataFolder(), binaries.majorVersion());
        return start(settings, new Installation(binaries, folder, Identity.choose(binaries, folder)));
    }

    static EmbeddedPostgres start(Settings settings, Installation installation) {
        DataFolder folder = installation.folder();
        FolderLock lock = FolderLock.take(folder.lockFile());
        boolean started = false;
        try {
            folder.log().prepare();
            Orphans.clear(folder, settings.stopLimit());
            NewCluster.make(installation, settings.startLimit());
            Folders.giveTo(installation.identity().owner(), folder.cluster());
            String password = folder.password();
            Postmaster postmaster = Postmaster.start(installation, settings, 0);
            EmbeddedPostgres postgres = new EmbeddedPostgres(settings, installation, lock, password, postmaster);
            try {
                postgres.requireDurability();
                started = true;
            } finally {
                if (!started) {
                    postmaster.stop(settings.stopLimit());
                }
            }
            return postgres;
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The data folder %s cannot be used: %s.".formatted(folder.path(), Reasons.of(e)), e);
        } finally {
            if (!started) {
                lock.close();
            }
        }
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://%s:%d/%s".formatted(Postmaster.HOST, port(), URLCoder.encode(database));
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    public int port() {
        return postmaster.port();
    }

    public long pid() {
        return postmaster.pid();
    }

    public boolean running() {
        return postmaster.running();
    }

    /** Runs the action, on a thread of its own, each time PostgreSQL ends without a request to stop. */
    public void onExit(Runnable action) {
        exitActions.add(action);
        watch(postmaster, action);
    }

    private static void watch(Postmaster watched, Runnable action) {
        watched.ended().thenAccept(unexpected -> {
            if (unexpected) {
                Thread.ofVirtual().name("postgres-exit").start(action);
            }
        });
    }

    /**
     * Starts PostgreSQL again after it has ended; has no effect while it runs. The port stays the same unless another
     * program has taken it meanwhile.
     */
    public synchronized void restart() {
        if (closed) {
            throw new IllegalStateException("This PostgreSQL was closed.");
        }
        if (running()) {
            return;
        }
        Orphans.clear(installation.folder(), settings.stopLimit());
        Postmaster next = Postmaster.start(installation, settings, port());
        postmaster = next;
        exitActions.forEach(action -> watch(next, action));
    }

    public void createDatabaseIfMissing(String name) {
        try (Connection connection = connect("postgres");
                PreparedStatement existing = connection.prepareStatement("select from pg_database where datname = ?");
                Statement statement = connection.createStatement()) {
            existing.setString(1, name);
            try (ResultSet row = existing.executeQuery()) {
                if (!row.next()) {
                    statement.execute("create database \"" + name.replace("\"", "\"\"") + "\"");
                }
            }
        } catch (SQLException e) {
            if (!DUPLICATE_DATABASE.equals(e.getSQLState())) {
                throw new PostgresUnavailable(
                        "The database %s could not be made: %s.".formatted(name, e.getMessage()), e);
            }
        }
    }

    /** Stops PostgreSQL by a fast shutdown, which cuts off its clients, and frees the data folder. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            postmaster.stop(settings.stopLimit());
        } finally {
            lock.close();
        }
    }

    /** Refuses settings that weaken durability, because a log that loses acknowledged entries is worse than no log. */
    private void requireDurability() {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            for (String name : DURABILITY) {
                try (ResultSet row = statement.executeQuery("show " + name)) {
                    if (!row.next() || !"on".equals(row.getString(1))) {
                        throw new PostgresUnavailable(
                                "PostgreSQL runs with %s off and would lose messages; remove that setting."
                                        .formatted(name));
                    }
                }
            }
        } catch (SQLException e) {
            throw new PostgresUnavailable(
                    "PostgreSQL started on %s but does not take connections: %s."
                            .formatted(installation.folder().path(), e.getMessage()),
                    e);
        }
    }

    private Connection connect(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", USER);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("socketTimeout", "60");
        Connection connection = new Driver().connect(jdbcUrl(database), properties);
        if (connection == null) {
            throw new SQLException("the driver does not know its own address");
        }
        return connection;
    }
}
