package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.cluster.Fault.Family;
import dev.parley.bench.rig.Deadline;
import dev.parley.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Faults of PostgreSQL and of the networks in front of it. */
record DatabaseFaults(FaultCluster cluster, SplittableRandom random) {
    private static final Duration BACK_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    Fault kill() {
        return new Fault(
                FaultKind.POSTGRES_KILL,
                "PostgreSQL",
                Family.DATABASE,
                this::killNow,
                Duration.ofMillis(random.nextInt(2_000)),
                this::awaitBack);
    }

    private void killNow() {
        EmbeddedPostgres postgres = cluster.postgres();
        ProcessHandle.of(postgres.pid()).ifPresent(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }

    /**
     * Swallows the packets between a node and PostgreSQL, or cuts and refuses the connections. In half of the cases the
     * fault outlasts a lease.
     */
    Fault partition() {
        Node node = anyNode();
        boolean swallow = random.nextBoolean();
        Duration hold = random.nextBoolean() ? Duration.ofSeconds(20) : Duration.ofSeconds(3 + random.nextInt(4));
        return new Fault(
                FaultKind.DATABASE_PARTITION,
                node + (swallow ? " hears nothing" : " is refused"),
                Family.DATABASE,
                () -> Fault.block(node.database(), swallow),
                hold,
                () -> Fault.unblock(node.database()));
    }

    Fault slow() {
        Duration delay = Duration.ofMillis(10 + random.nextInt(90));
        boolean all = random.nextBoolean();
        List<Node> hit = all ? cluster.nodes() : List.of(anyNode());
        return new Fault(
                FaultKind.DATABASE_SLOW,
                (all ? "all nodes" : hit.getFirst()) + ", " + delay.toMillis() + " ms each way",
                Family.DATABASE,
                () -> hit.forEach(node -> node.database().delay(delay)),
                Duration.ofSeconds(5 + random.nextInt(4)),
                () -> hit.forEach(node -> node.database().delay(Duration.ZERO)));
    }

    /** Takes every free connection of PostgreSQL for another client, after a node has lost its own connections. */
    Fault exhaust() {
        List<Connection> taken = new ArrayList<>();
        Node node = anyNode();
        return new Fault(
                FaultKind.CONNECTIONS,
                "and " + node + " loses its own",
                Family.DATABASE,
                () -> {
                    node.database().cutAll();
                    takeAll(taken);
                },
                Duration.ofSeconds(5 + random.nextInt(4)),
                () -> {
                    for (Connection connection : taken) {
                        connection.close();
                    }
                });
    }

    private void takeAll(List<Connection> taken) {
        try {
            while (taken.size() < FaultCluster.MAX_CONNECTIONS) {
                taken.add(cluster.connect());
            }
        } catch (SQLException noneLeft) {
            // PostgreSQL has no connection left, which is the purpose.
        }
    }

    /** Fills the disk. In half of the cases the fault also uses up the space of the WAL, which ends PostgreSQL. */
    Fault fillDisk(SmallDisk disk) {
        boolean log = random.nextBoolean();
        return new Fault(
                FaultKind.DISK,
                log ? "also for a new segment of WAL" : "for tables",
                Family.DATABASE,
                () -> {
                    disk.fill();
                    if (log) {
                        useUpWal();
                    }
                },
                Duration.ofSeconds(5 + random.nextInt(4)),
                () -> {
                    disk.free();
                    awaitBack();
                });
    }

    private void useUpWal() {
        try (Connection connection = cluster.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 20; i++) {
                statement.execute("select pg_logical_emit_message(false, 'ballast', 'a'), pg_switch_wal()");
            }
        } catch (SQLException full) {
            // The WAL's space is used up.
        }
    }

    /** Starts PostgreSQL again if it has ended, and waits until it accepts connections. */
    private void awaitBack() throws IOException, InterruptedException {
        Deadline deadline = Deadline.in(BACK_LIMIT);
        while (!deadline.isOver()) {
            cluster.postgres().restart();
            try (Connection connection = cluster.connect()) {
                if (connection.isValid(1)) {
                    return;
                }
            } catch (SQLException notYet) {
                // PostgreSQL may be recovering from its WAL, or may be about to end.
            }
            Thread.sleep(POLL);
        }
        throw new IOException("PostgreSQL did not come back within " + BACK_LIMIT);
    }

    private Node anyNode() {
        return cluster.nodes().get(random.nextInt(cluster.nodes().size()));
    }
}
