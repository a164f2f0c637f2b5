package dev.parley.bench.rig;

import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.TestPostgres;
import dev.parley.testkit.TestRedis;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One PostgreSQL of its own, a Redis if there is one, and one or more servers: each a process, and the users of the run. */
public final class Cluster implements AutoCloseable {
    private static final String DATABASE = "parley";
    /** What one server takes at most, and what looks at the database from outside. */
    private static final int CONNECTIONS_EACH = 40;

    private final Cleanup cleanup = new Cleanup();
    private final Path folder;
    private final Accounts accounts;
    private final EmbeddedPostgres postgres;
    private final @Nullable TestRedis redis;
    private final List<String> flags = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final List<ServerProcess> servers = new ArrayList<>();

    /** @param folder where all of it lies; deleted by whoever made it */
    public Cluster(Path folder, Accounts accounts, int nodes, Bus bus) {
        this.folder = folder;
        this.accounts = accounts;
        boolean ready = false;
        try {
            postgres = cleanup.keep(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                    folder.resolve("postgres"),
                    TestPostgres.programs(),
                    Map.of("max_connections", Integer.toString(nodes * CONNECTIONS_EACH + 20)),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(30))));
            postgres.createDatabaseIfMissing(DATABASE);
            environment.putAll(accounts.environment());
            environment.put("PARLEY_SIGNING_SECRET", UUID.randomUUID() + "-" + UUID.randomUUID());
            environment.put("PARLEY_DATABASE_PASSWORD", postgres.password());
            redis = bus == Bus.REDIS ? cleanup.keep(TestRedis.start()) : null;
            flags.addAll(List.of("--database-url", postgres.jdbcUrl(DATABASE), "--database-user", postgres.user()));
            flags.addAll(List.of("--log-level", "warn"));
            flags.addAll(
                    redis != null
                            ? List.of("--redis-url", redis.uri().toString())
                            : List.of("--wakeups", bus == Bus.POSTGRES ? "postgres" : "local"));
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
        return ServerProcess.start(folder.resolve("node-" + node), environment, flags);
    }

    public Accounts accounts() {
        return accounts;
    }

    public int size() {
        return servers.size();
    }

    public ServerProcess node(int number) {
        return servers.get(number);
    }

    public List<URI> uris() {
        return servers.stream().map(ServerProcess::uri).toList();
    }

    /** kill -9 of one node. */
    public void kill(int number) {
        servers.get(number).kill();
    }

    /** Starts a node that was killed, on another port. */
    public void startAgain(int number) {
        servers.set(number, cleanup.keep(start(number)));
    }

    /** What everything has used so far. */
    public CpuUse used() {
        Duration all = Duration.ZERO;
        for (ServerProcess server : servers) {
            all = all.plus(CpuTime.ofProcess(server.pid()));
        }
        return new CpuUse(all, CpuTime.ofFamily(postgres.pid()), redisCpu(), CpuTime.ofThisProcess());
    }

    private Duration redisCpu() {
        return redis == null ? Duration.ZERO : CpuTime.ofProcess(redis.pid());
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
