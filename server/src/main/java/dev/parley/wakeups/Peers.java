package dev.parley.wakeups;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The other nodes whose messages arrived lately. Without other nodes, the bus sends no hints. */
final class Peers {
    private static final Duration PEER_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_PEERS = 1_000;

    private final Map<UUID, Long> heardAt = new ConcurrentHashMap<>();

    /** Notes a message from a node; true if the node is new. */
    boolean note(UUID node) {
        if (heardAt.size() >= MAX_PEERS) {
            forgetSilent();
        }
        return heardAt.size() < MAX_PEERS && heardAt.put(node, System.nanoTime()) == null;
    }

    void forgetSilent() {
        long now = System.nanoTime();
        heardAt.values().removeIf(at -> now - at > PEER_TIMEOUT.toNanos());
    }

    boolean none() {
        return heardAt.isEmpty();
    }

    int count() {
        return heardAt.size();
    }
}
