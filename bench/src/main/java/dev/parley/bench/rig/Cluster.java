package dev.parley.bench.rig;

import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestRedis;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rig of a benchmark: one PostgreSQL, a Redis if requested, the servers, and the users of the run. Each server is a
 * process of its own.
 */
public final class Cluster implements AutoCloseable {
    /** The maximum of connections of one server. */
    private static final int CONNECTIONS_EACH = 40;

    /** Connections for queries from outside of the servers. */
    private static final int OTHER_CONNECTIONS = 20;

    private final Cleanup cleanup = new Cleanup();
    private final Path folder;
    private final Accounts accounts;
    private final BenchPostgres postgres;
    private final DatabaseAddress database;
    private final @Nullable TestRedis redis;
    private final Map<String, String> environment;
    private final List<String> flags;
    private final List<ServerProcess> servers = new ArrayList<>();

    /** A cluster of one server, with the default wake-ups of an external PostgreSQL. */
    public static Cluster single(Path folder, int users, Map<String, String> postgresSettings) {
        return single(folder, users, postgresSettings, accounts -> Map.of());
    }

    /** @param environment further settings of the server, as environment variables */
    public static Cluster single(
            Path folder,
            int users,
            Map<String, String> postgresSettings,
            Function<Accounts, Map<String, String>> environment) {
        Accounts accounts = new Accounts(users);
        return new Cluster(folder, accounts, 1, Bus.POSTGRES, postgresSettings, environment.apply(accounts));
    }

    public Cluster(Path folder, Accounts accounts, int nodes, Bus bus) {
        this(folder, accounts, nodes, bus, Map.of(), Map.of());
    }

    private Cluster(
            Path folder,
            Accounts accounts,
            int nodes,
            Bus bus,
            Map<String, String> postgresSettings,
            Map<String, String> further) {
        this.folder = folder;
        this.accounts = accounts;
        Map<String, String> settings = new HashMap<>(postgresSettings);
        settings.putIfAbsent("max_connections", Integer.toString(nodes * CONNECTIONS_EACH + OTHER_CONNECTIONS));
        environment = new HashMap<>(accounts.environment());
        environment.putAll(further);
        environment.put("PARLEY_SIGNING_SECRET", UUID.randomUUID() + "-" + UUID.randomUUID());
        boolean ready = false;
        try {
            postgres = cleanup.keep(BenchPostgres.start(folder, settings));
            database = postgres.database();
            redis = bus == Bus.REDIS ? cleanup.keep(TestRedis.start()) : null;
            flags = redis != null
                    ? List.of("--redis-url", redis.uri().toString())
                    : List.of("--wakeups", bus == Bus.POSTGRES ? "postgres" : "local");
            for (int node = 0; node < nodes; node++) {
                servers.add(cleanup.keep(start(node)));
            }
            ready = true;
        } finally {
            if (!ready) {
                cleanup.close();
            }
        }
    }

    private ServerProcess start(int node) {
        return ServerProcess.on(
                database, ServerProcess.Program.PARLEY, folder.resolve("node-" + node), environment, flags);
    }

    public Accounts accounts() {
        return accounts;
    }

    public Accounts.User user(int number) {
        return accounts.users().get(number);
    }

    public int size() {
        return servers.size();
    }

    public ServerProcess node(int number) {
        return servers.get(number);
    }

    /** The address of the first node. */
    public URI uri() {
        return servers.getFirst().uri();
    }

    public List<URI> uris() {
        return servers.stream().map(ServerProcess::uri).toList();
    }

    public DatabaseAddress database() {
        return database;
    }

    /** A connection to the database that is closed with the cluster. */
    public Connection connect() throws SQLException {
        return cleanup.keep(database.connect());
    }

    public int databasePort() {
        return postgres.process().port();
    }

    /** Kills a node with {@code kill -9}. */
    public void kill(int number) {
        servers.get(number).kill();
    }

    /** Starts a node that was killed, on another port. */
    public void startAgain(int number) {
        servers.set(number, cleanup.keep(start(number)));
    }

    /** The CPU time of all processes so far. */
    public CpuUse used() {
        Duration all = Duration.ZERO;
        for (ServerProcess server : servers) {
            all = all.plus(CpuTime.ofProcess(server.pid()));
        }
        Duration ofRedis = redis == null ? Duration.ZERO : CpuTime.ofProcess(redis.pid());
        return new CpuUse(all, CpuTime.ofFamily(postgres.process().pid()), ofRedis, CpuTime.ofThisProcess());
    }

    /** The bytes of WAL that the database has written so far. */
    public static long walBytes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
