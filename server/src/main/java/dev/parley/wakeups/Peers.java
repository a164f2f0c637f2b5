package dev.parley.wakeups;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The other nodes that were heard of lately. Where there are none, nobody needs to be told anything. */
final class Peers {
    private static final Duration REMEMBERED = Duration.ofSeconds(10);
    private static final int MAX_PEERS = 1_000;

    private final Map<UUID, Long> heardAt = new ConcurrentHashMap<>();

    /** Notes that a node was heard of; true if it is a new one. */
    boolean note(UUID node) {
        if (heardAt.size() >= MAX_PEERS) {
            forgetSilent();
        }
        return heardAt.size() < MAX_PEERS && heardAt.put(node, System.nanoTime()) == null;
    }

    void forgetSilent() {
        long now = System.nanoTime();
        heardAt.values().removeIf(at -> now - at > REMEMBERED.toNanos());
    }

    boolean none() {
        return heardAt.isEmpty();
    }

    int count() {
        return heardAt.size();
    }
}
