package dev.parley.bench.prove.viewers;

import dev.parley.bench.rig.EventScan;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.EventText;
import dev.parley.bench.rig.SeenEvents;
import dev.parley.protocol.ThreadId;
import java.util.SplittableRandom;

/** One viewer of one thread, which switches to another node whenever its stream is cut. */
final class SwarmViewer {
    private final ThreadId thread;
    private final SplittableRandom random;
    private final SeenEvents seen = new SeenEvents();
    private int node;
    private long connects;
    private long lastEvent = System.nanoTime();
    private long longestSilence;
    private long dueAt;

    SwarmViewer(ThreadId thread, int node, SplittableRandom random) {
        this.thread = thread;
        this.node = node;
        this.random = random;
    }

    EventStreams.Scan scan() {
        return new EventScan(this::saw);
    }

    private void saw(EventText event) {
        if (!event.id().isEmpty() && seen.saw(event.id())) {
            long now = System.nanoTime();
            longestSilence = Math.max(longestSilence, now - lastEvent);
            lastEvent = now;
        }
    }

    void connecting() {
        connects++;
    }

    /** Switches to another node, after a short pause. */
    void moveOn(int nodes, long now, int longestPauseMillis) {
        if (nodes > 1) {
            node = (node + 1 + random.nextInt(nodes - 1)) % nodes;
        }
        dueAt = now + random.nextInt(1, longestPauseMillis) * 1_000_000L;
    }

    boolean isDue(long now) {
        return now - dueAt >= 0;
    }

    int node() {
        return node;
    }

    ThreadId thread() {
        return thread;
    }

    SeenEvents seen() {
        return seen;
    }

    long reconnects() {
        return Math.max(0, connects - 1);
    }

    double longestSilenceSeconds() {
        return longestSilence / 1e9;
    }
}
