package dev.parley.bench.read;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.RunClient;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import dev.parley.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL that counts what statements touch, a server on it, and its users. */
final class ReadRig implements AutoCloseable {
    private static final Path FOLDER = Path.of("target", "bench", "read");
    private static final String DATABASE = "parley";
    private static final int USERS = 4;

    private final Cleanup cleanup = new Cleanup();
    private final Path folder = Folders.empty(FOLDER);
    private final Accounts accounts = new Accounts(USERS);
    private final ServerProcess server;
    private final Connection connection;

    ReadRig() throws SQLException {
        boolean ready = false;
        try {
            EmbeddedPostgres postgres = cleanup.keep(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                    folder.resolve("postgres"),
                    TestPostgres.programs(),
                    Map.of("shared_preload_libraries", "pg_stat_statements", "max_wal_size", "4GB"),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(30))));
            postgres.createDatabaseIfMissing(DATABASE);
            server = cleanup.keep(startServer(postgres));
            connection = cleanup.keep(
                    DriverManager.getConnection(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password()));
            ready = true;
        } finally {
            if (!ready) {
                cleanup.close();
            }
        }
    }

    private ServerProcess startServer(EmbeddedPostgres postgres) {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", postgres.password());
        return ServerProcess.start(
                folder.resolve("server"),
                environment,
                List.of(
                        "--database-url",
                        postgres.jdbcUrl(DATABASE),
                        "--database-user",
                        postgres.user(),
                        "--log-level",
                        "warn"));
    }

    Connection connection() {
        return connection;
    }

    Accounts.User user(int number) {
        return accounts.users().get(number);
    }

    Parley as(Accounts.User user) {
        return cleanup.keep(Parley.connect(server.uri(), new Token(user.token())));
    }

    RunClient runsOf(Accounts.User user) {
        return cleanup.keep(new RunClient(server.uri(), user));
    }

    /** Stops everything and deletes what it wrote. */
    @Override
    public void close() {
        cleanup.close();
        Folders.delete(folder);
    }
}
