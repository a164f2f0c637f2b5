package dev.parley.bench.prove.viewers;

import dev.parley.bench.rig.EventStreams;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Thousands of viewers. A viewer whose stream is cut reconnects at another node, after the last event it saw. */
final class Swarm implements EventStreams.Listener, AutoCloseable {
    private static final int MAX_PAUSE_MILLIS = 1_000;
    private static final int CONNECTS_AT_ONCE = 100;
    /**
     * The time after which a silent stream is closed. The server sends a heartbeat on each stream at least every 15
     * seconds.
     */
    private static final Duration SILENCE = Duration.ofSeconds(25);

    private final List<SwarmViewer> viewers;
    private final int nodes;
    private final IntFunction<URI> addresses;
    private final String token;
    /** The numbers of disconnected viewers; used only by the thread that reads. */
    private final Deque<Integer> away = new ArrayDeque<>();

    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final EventStreams streams;

    /** @param addresses the current addresses of the nodes, by index */
    Swarm(List<SwarmViewer> viewers, int nodes, IntFunction<URI> addresses, String token) {
        this.viewers = List.copyOf(viewers);
        this.nodes = nodes;
        this.addresses = addresses;
        this.token = token;
        for (int i = 0; i < viewers.size(); i++) {
            away.add(i);
        }
        this.streams = new EventStreams(this, SILENCE);
    }

    /** The number of connected viewers whose request was answered. */
    long open() {
        return streams.openCount();
    }

    @Override
    public void idle(EventStreams pool) {
        long now = System.nanoTime();
        for (int i = Math.min(CONNECTS_AT_ONCE, away.size()); i > 0; i--) {
            int number = away.pop();
            SwarmViewer viewer = viewers.get(number);
            if (viewer.isDue(now)) {
                viewer.connecting();
                String path = "/api/v1/chat/threads/" + viewer.thread() + "/events/stream";
                pool.open(
                        number,
                        addresses.apply(viewer.node()),
                        path,
                        token,
                        viewer.seen().lastId());
            } else {
                away.add(number);
            }
        }
    }

    @Override
    public EventStreams.Scan scan(int number) {
        return viewers.get(number).scan();
    }

    @Override
    public void refused(int number, int status, String answer) {
        SwarmViewer viewer = viewers.get(number);
        if (status < 500) {
            synchronized (failures) {
                failures.add("a viewer of " + viewer.thread() + " was answered " + status + " after "
                        + viewer.seen().lastId());
            }
        }
        leave(number, "cut off");
    }

    @Override
    public void ended(int number, IOException why) {
        leave(
                number,
                switch (why) {
                    case ConnectException unreachable -> "refused";
                    case SocketTimeoutException nothing -> "silent";
                    default -> "cut off";
                });
    }

    private void leave(int number, String why) {
        synchronized (answers) {
            answers.merge(why, 1L, Long::sum);
        }
        viewers.get(number).moveOn(nodes, System.nanoTime(), MAX_PAUSE_MILLIS);
        away.add(number);
    }

    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    Map<String, Long> answers() {
        synchronized (answers) {
            return new TreeMap<>(answers);
        }
    }

    /** True if every viewer has reached the end of its thread. */
    boolean hasSeenAll(Map<ThreadId, Long> ends) {
        return viewers.stream().allMatch(viewer -> viewer.seen().seq() >= ends.getOrDefault(viewer.thread(), 0L));
    }

    /** The viewers; read their counts only after the swarm is closed. */
    List<SwarmViewer> viewers() {
        streams.check();
        return viewers;
    }

    @Override
    public void close() {
        streams.close();
    }
}
