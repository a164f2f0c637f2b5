package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.TestPostgres;
import dev.parley.testkit.TestRedis;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Nodes, a PostgreSQL and a Redis on loopback, each a process of its own that belongs to no other. */
public final class Cluster implements AutoCloseable {
    static final int MAX_CONNECTIONS = 100;

    private static final String DATABASE = "parley";
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final Cleanup cleanup = new Cleanup();
    private final Accounts accounts;
    private final Optional<SmallDisk> disk;
    private final EmbeddedPostgres postgres;
    private final TestRedis redis;
    private final List<Node> nodes = new ArrayList<>();

    /**
     * What it is made of.
     *
     * @param folder for everything that it writes
     * @param smallDisk whether the database shall lie on a disk that can be filled, if that is possible here
     */
    public record Shape(Path folder, int nodes, String heap, int users, boolean smallDisk) {}

    private Cluster(Shape shape) throws IOException, InterruptedException {
        accounts = new Accounts(shape.users());
        boolean ready = false;
        try {
            Path folder = Files.createDirectories(shape.folder()).toAbsolutePath();
            disk = shape.smallDisk() ? SmallDisk.mount(folder.resolve("disk")) : Optional.empty();
            disk.ifPresent(cleanup::keep);
            postgres = cleanup.keep(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                    disk.map(SmallDisk::folder).orElse(folder).resolve("postgres"),
                    TestPostgres.programs(),
                    Map.of("max_connections", Integer.toString(MAX_CONNECTIONS), "max_wal_size", "256MB"),
                    START_LIMIT,
                    STOP_LIMIT)));
            postgres.createDatabaseIfMissing(DATABASE);
            redis = cleanup.keep(TestRedis.start());
            Node.Plan plan = new Node.Plan(
                    Files.createDirectories(folder.resolve("data")),
                    folder,
                    shape.heap(),
                    environment(),
                    List.of("--database-user", postgres.user()),
                    port -> "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE);
            for (int i = 1; i <= shape.nodes(); i++) {
                nodes.add(cleanup.keep(new Node(
                        i,
                        plan,
                        new InetSocketAddress("127.0.0.1", postgres.port()),
                        new InetSocketAddress("127.0.0.1", redis.port()))));
            }
            // The first one makes the tables, the others find them.
            nodes.getFirst().start();
            CompletableFuture.allOf(nodes.stream()
                            .skip(1)
                            .map(node -> CompletableFuture.runAsync(node::start))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
            ready = true;
        } finally {
            if (!ready) {
                cleanup.close();
            }
        }
    }

    /** Returns when all nodes listen. */
    public static Cluster start(Shape shape) throws IOException, InterruptedException {
        return new Cluster(shape);
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", postgres.password());
        environment.put("PARLEY_SIGNING_SECRET", UUID.randomUUID() + "-" + UUID.randomUUID());
        return environment;
    }

    public Accounts accounts() {
        return accounts;
    }

    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    List<URI> entrances() {
        return nodes.stream().map(Node::entrance).toList();
    }

    /** Where any node is reached that is there. Fails if all of them have ended. */
    URI anEntrance() {
        return nodes.stream()
                .filter(Node::isRunning)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node is left"))
                .entrance();
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    TestRedis redis() {
        return redis;
    }

    /** Empty if the database lies on an ordinary disk. */
    Optional<SmallDisk> disk() {
        return disk;
    }

    /** A connection of somebody else to the database, past all proxies. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(DATABASE), postgres.user(), postgres.password());
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
