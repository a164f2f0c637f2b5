package dev.parley.bench.prove.viewers;

import dev.parley.protocol.ThreadId;
import java.util.SplittableRandom;

/** One viewer of one thread: what it saw last, and what was wrong with what came next. */
final class Viewer implements StreamScan.Events {
    private final ThreadId thread;
    private final SplittableRandom random;
    private StreamScan scan = new StreamScan(this);
    private int node;
    private volatile long seq;
    private long position;
    private long deliveries;
    private long gaps;
    private long repeats;
    private long connects;
    private long lastEvent = System.nanoTime();
    private long longestSilence;
    private long lastBytes;
    private long dueAt;

    Viewer(ThreadId thread, int node, SplittableRandom random) {
        this.thread = thread;
        this.node = node;
        this.random = random;
    }

    @Override
    public void saw(long nextSeq, long nextPosition) {
        if (nextPosition == 0) {
            if (nextSeq <= seq) {
                repeats++;
                return;
            }
            gaps += nextSeq - seq - 1;
            deliveries++;
            long now = System.nanoTime();
            longestSilence = Math.max(longestSilence, now - lastEvent);
            lastEvent = now;
            position = 0;
        } else if (nextSeq < seq || nextSeq == seq && nextPosition <= position) {
            repeats++;
            return;
        } else {
            // What happened between two entries does not tell whether there was something before it.
            gaps += nextSeq - seq;
            position = nextPosition;
        }
        seq = nextSeq;
    }

    /** A new connection begins at the place that was seen last. */
    StreamScan connecting(long now) {
        connects++;
        lastBytes = now;
        scan = new StreamScan(this);
        return scan;
    }

    StreamScan scan() {
        return scan;
    }

    void heard(long now) {
        lastBytes = now;
    }

    boolean isSilentSince(long nanos) {
        return lastBytes - nanos < 0;
    }

    /** Turns to another node, a little later. */
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

    /** What it sends as {@code Last-Event-ID}. */
    String lastEventId() {
        return position == 0 ? Long.toString(seq) : seq + "-" + position;
    }

    long seq() {
        return seq;
    }

    long deliveries() {
        return deliveries;
    }

    long gaps() {
        return gaps;
    }

    long repeats() {
        return repeats;
    }

    long reconnects() {
        return Math.max(0, connects - 1);
    }

    double longestSilenceSeconds() {
        return longestSilence / 1e9;
    }
}
