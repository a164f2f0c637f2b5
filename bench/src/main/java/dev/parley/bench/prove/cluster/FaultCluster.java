package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchPostgres;
import dev.parley.bench.rig.Cleanup;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestRedis;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Nodes, a PostgreSQL and a Redis on loopback, each a process of its own, with networks between them that a fault can
 * break.
 */
public final class FaultCluster implements AutoCloseable {
    static final int MAX_CONNECTIONS = 100;

    private static final Map<String, String> POSTGRES =
            Map.of("max_connections", Integer.toString(MAX_CONNECTIONS), "max_wal_size", "256MB");

    private final Cleanup cleanup = new Cleanup();
    private final Accounts accounts;
    private final Optional<SmallDisk> disk;
    private final BenchPostgres postgres;
    private final DatabaseAddress database;
    private final TestRedis redis;
    private final List<Node> nodes = new ArrayList<>();

    /**
     * The size and the folder of a cluster.
     *
     * @param folder the folder for all files of the cluster
     * @param smallDisk true to put the database on a disk that can be filled, if this machine allows it
     */
    public record Shape(Path folder, int nodes, String heap, int users, boolean smallDisk) {}

    private FaultCluster(Shape shape) throws IOException, InterruptedException {
        accounts = new Accounts(shape.users());
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_SIGNING_SECRET", UUID.randomUUID() + "-" + UUID.randomUUID());
        boolean ready = false;
        try {
            Path folder = Files.createDirectories(shape.folder()).toAbsolutePath();
            disk = shape.smallDisk() ? SmallDisk.mount(folder.resolve("disk")) : Optional.empty();
            disk.ifPresent(cleanup::keep);
            postgres =
                    cleanup.keep(BenchPostgres.start(disk.map(SmallDisk::folder).orElse(folder), POSTGRES));
            database = postgres.database();
            redis = cleanup.keep(TestRedis.start());
            Node.Plan plan = new Node.Plan(
                    Files.createDirectories(folder.resolve("data")), folder, shape.heap(), environment, database);
            for (int i = 1; i <= shape.nodes(); i++) {
                nodes.add(cleanup.keep(new Node(i, plan, postgres().port(), redis.port())));
            }
            // The first node creates the tables, and the other nodes find them.
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
    public static FaultCluster start(Shape shape) throws IOException, InterruptedException {
        return new FaultCluster(shape);
    }

    public Accounts accounts() {
        return accounts;
    }

    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    public List<URI> entrances() {
        return nodes.stream().map(Node::entrance).toList();
    }

    /** The entrance of a running node; throws if all nodes have ended. */
    URI anEntrance() {
        return nodes.stream()
                .filter(Node::isRunning)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node is left"))
                .entrance();
    }

    EmbeddedPostgres postgres() {
        return postgres.process();
    }

    TestRedis redis() {
        return redis;
    }

    /** The disk that can be filled; empty if the database is on an ordinary disk. */
    Optional<SmallDisk> disk() {
        return disk;
    }

    /** A further connection to the database that bypasses all proxies. */
    Connection connect() throws SQLException {
        return database.connect();
    }

    @Override
    public void close() {
        cleanup.close();
    }
}
