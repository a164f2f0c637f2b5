package dev.parley.bench.prove.cluster;

import dev.parley.bench.prove.cluster.Fault.Family;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Faults of nodes, of their clocks and of the networks to their callers. */
record NodeFaults(List<Node> nodes, SplittableRandom random) {
    /**
     * The length of a freeze after which other nodes have taken the runs over. A lease lasts 15 seconds, and a
     * successor looks for abandoned runs about every five seconds.
     */
    private static final Duration PAST_ITS_LEASE = Duration.ofSeconds(22);

    private static final double DROPPED = 0.3;
    private static final int MAX_JUMP_SECONDS = 900;

    Fault kill() {
        Node node = any();
        return new Fault(FaultKind.KILL, node.toString(), Family.NODE, node::kill, briefly(), node::start);
    }

    /** Stops a node and starts it again, as an upgrade does. */
    Fault restart() {
        Node node = any();
        return new Fault(FaultKind.RESTART, node.toString(), Family.NODE, node::stop, briefly(), node::start);
    }

    /** Freezes a node. The other nodes take its runs over, and then the node wakes up as a zombie. */
    Fault freeze() {
        Node node = any();
        return new Fault(
                FaultKind.FREEZE,
                node.toString(),
                Family.NODE,
                () -> node.signal("STOP"),
                PAST_ITS_LEASE,
                () -> node.signal("CONT"));
    }

    Fault jump() {
        Node node = any();
        int seconds = (60 + random.nextInt(MAX_JUMP_SECONDS)) * (random.nextBoolean() ? 1 : -1);
        return new Fault(
                FaultKind.CLOCK,
                node + " by " + seconds + " s",
                Family.NODE,
                () -> node.jump(Duration.ofSeconds(seconds)),
                Duration.ofSeconds(5 + random.nextInt(4)),
                () -> node.jump(Duration.ZERO));
    }

    /** Drops answers to requests that are carried out. */
    Fault dropAnswers() {
        long seed = random.nextLong();
        return new Fault(
                FaultKind.DROP,
                "three of ten posts, at all nodes",
                Family.NETWORK,
                () -> nodes.forEach(node -> node.front().dropAnswers(DROPPED, seed, line -> line.startsWith("POST "))),
                Duration.ofSeconds(4 + random.nextInt(4)),
                () -> nodes.forEach(node -> node.front().keepAnswers()));
    }

    private Duration briefly() {
        return Duration.ofMillis(random.nextInt(3_000));
    }

    private Node any() {
        return nodes.get(random.nextInt(nodes.size()));
    }
}
