package dev.parley.bench.append;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One PostgreSQL that the server under test and the yardsticks share, the server, its users and threads. */
final class AppendRig implements AutoCloseable {
    private static final Path FOLDER = Path.of("target", "bench", "append");
    private static final String DATABASE = "parley";
    /** Enough that a membership look-up is real, few enough that making the threads is quick. */
    private static final int USERS = 8;
    /** What the server, maintenance and a look from outside need. */
    private static final int OTHER_CONNECTIONS = 40;

    private final Cleanup cleanup = new Cleanup();
    private final Path folder = Folders.empty(FOLDER);
    private final Accounts accounts = new Accounts(USERS);
    private final EmbeddedPostgres postgres;
    private final DatabaseAddress database;
    private final ServerProcess server;
    private final List<ThreadId> threads;
    private final Yardstick yardstick;

    AppendRig(AppendPlan plan) throws SQLException {
        boolean ready = false;
        try {
            postgres = cleanup.keep(
                    startPostgres(Math.max(plan.writers(), Collections.max(plan.connections())) + OTHER_CONNECTIONS));
            postgres.createDatabaseIfMissing(DATABASE);
            database = new DatabaseAddress(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
            server = cleanup.keep(startServer());
            threads = accounts.makeThreads(server.uri(), plan.threads());
            yardstick = Yardstick.prepare(database, threads);
            ready = true;
        } finally {
            if (!ready) {
                cleanup.close();
            }
        }
    }

    private EmbeddedPostgres startPostgres(int connections) {
        return EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                folder.resolve("postgres"),
                TestPostgres.programs(),
                Map.of("max_connections", Integer.toString(connections)),
                Duration.ofSeconds(90),
                Duration.ofSeconds(30)));
    }

    private ServerProcess startServer() {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", database.password());
        return ServerProcess.start(
                folder.resolve("server"),
                environment,
                List.of(
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        database.user(),
                        "--log-level",
                        "warn"));
    }

    Path folder() {
        return folder;
    }

    DatabaseAddress database() {
        return database;
    }

    int databasePort() {
        return postgres.port();
    }

    long postgresPid() {
        return postgres.pid();
    }

    long serverPid() {
        return server.pid();
    }

    List<ThreadId> threads() {
        return threads;
    }

    Yardstick yardstick() {
        return yardstick;
    }

    Load posts(List<ThreadId> to, int writers, String content) {
        return new HttpLoad(server.uri(), accounts.users(), to, writers, content);
    }

    String postgresVersion() throws SQLException {
        try (Connection connection = yardstick.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show server_version")) {
            return row.next() ? row.getString(1) : "unknown";
        }
    }

    void checkpoint() throws SQLException {
        try (Connection connection = yardstick.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("checkpoint");
        }
    }

    /** Stops everything and deletes what it wrote. */
    @Override
    public void close() {
        cleanup.close();
        Folders.delete(folder);
    }
}
