package dev.parley.bench.rig;

import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.TestPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL, a server on it and its users, for benchmarks that count what both of them cost together. */
public final class RunRig implements AutoCloseable {
    private static final String DATABASE = "parley";

    private final Cleanup cleanup = new Cleanup();
    private final Accounts accounts;
    private final EmbeddedPostgres postgres;
    private final ServerProcess server;

    /** @param folder where all of it lies; deleted by whoever made it */
    public RunRig(Path folder, int users) {
        accounts = new Accounts(users);
        boolean ready = false;
        try {
            postgres = cleanup.keep(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                    folder.resolve("postgres"),
                    TestPostgres.programs(),
                    Map.of(),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(30))));
            postgres.createDatabaseIfMissing(DATABASE);
            Map<String, String> environment = new HashMap<>(accounts.environment());
            environment.put("PARLEY_DATABASE_PASSWORD", postgres.password());
            server = cleanup.keep(ServerProcess.start(
                    folder.resolve("server"),
                    environment,
                    List.of(
                            "--database-url",
                            postgres.jdbcUrl(DATABASE),
                            "--database-user",
                            postgres.user(),
                            "--log-level",
                            "warn")));
            ready = true;
        } finally {
            if (!ready) {
                cleanup.close();
            }
        }
    }

    public URI uri() {
        return server.uri();
    }

    public Accounts.User user(int number) {
        return accounts.users().get(number);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
    }

    /** What the server and PostgreSQL have used so far. */
    public Used used(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return new Used(CpuTime.ofProcess(server.pid()), CpuTime.ofFamily(postgres.pid()), row.getLong(1));
        }
    }

    /**
     * CPU time of both, and bytes of WAL.
     *
     * @param database with all its backends
     */
    public record Used(Duration server, Duration database, long walBytes) {
        public Used since(Used before) {
            return new Used(server.minus(before.server), database.minus(before.database), walBytes - before.walBytes);
        }

        public Duration cpu() {
            return server.plus(database);
        }
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
