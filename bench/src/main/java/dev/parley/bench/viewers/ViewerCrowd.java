package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.EventScan;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.SeenEvents;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * All viewers. Each of the first viewers follows an inbox, and each of the other viewers follows a thread. A viewer of
 * a thread checks that the entries arrive without gaps and repeats, and reconnects after the last id that it has seen.
 */
final class ViewerCrowd implements EventStreams.Listener, AutoCloseable {
    private final List<Accounts.User> users;
    private final List<ThreadId> threads;
    private final int inboxes;
    private final Viewer[] viewers;
    private final EventStreams streams = new EventStreams(this);
    private final AtomicInteger behind = new AtomicInteger();
    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();
    private final Recorder caughtUpMicros = new Recorder(3);
    private volatile boolean mayEnd;
    private volatile long awaitedSeq;
    private volatile long reconnectNanos;

    /** Only the thread that reads the streams writes {@code seen} and {@code open}. */
    private static final class Viewer {
        private final SeenEvents seen = new SeenEvents();
        private volatile boolean open;
        private volatile boolean behind;
    }

    ViewerCrowd(List<Accounts.User> users, List<ThreadId> threads, int inboxes, int count) {
        this.users = users;
        this.threads = threads;
        this.inboxes = inboxes;
        this.viewers = new Viewer[count];
        for (int i = 0; i < count; i++) {
            viewers[i] = new Viewer();
        }
    }

    @Override
    public EventStreams.Scan scan(int number) {
        return new EventScan(event -> {
            if (number >= inboxes && !event.id().isEmpty()) {
                seen(viewers[number], event.id());
            }
        });
    }

    @Override
    public void opened(int number) {
        viewers[number].open = true;
        if (number < inboxes) {
            caughtUp(viewers[number]);
        }
    }

    @Override
    public void ended(int number, IOException why) {
        viewers[number].open = false;
        if (!mayEnd) {
            lost.compareAndSet(null, why.toString());
        }
    }

    /**
     * Opens the closed streams, at the nodes in turn. A viewer of a thread resumes after the last id that it has seen.
     */
    void open(List<URI> nodes) {
        mayEnd = false;
        for (int i = 0; i < viewers.length; i++) {
            if (!viewers[i].open) {
                boolean inbox = i < inboxes;
                // The first user is in every thread. Each inbox belongs to one of the other users.
                String token = users.get(inbox ? i + 1 : 0).token();
                String path = inbox
                        ? "/api/v1/chat/inbox/stream"
                        : "/api/v1/chat/threads/" + threads.get(i % threads.size()) + "/events/stream";
                streams.open(i, nodes.get(i % nodes.size()), path, token, inbox ? null : viewers[i].seen.lastId());
            }
        }
    }

    /** Allows streams to end from now on, because their server is killed. */
    void expectEnds() {
        mayEnd = true;
    }

    int openCount() {
        String why = lost.get();
        if (why != null) {
            throw new IllegalStateException("A viewer's stream ended by itself: " + why);
        }
        return streams.openCount();
    }

    /** The bytes that all viewers have received. */
    long bytes() {
        return streams.bytes();
    }

    private void seen(Viewer viewer, String id) {
        if (viewer.seen.saw(id) && viewer.behind && viewer.seen.seq() >= awaitedSeq) {
            caughtUp(viewer);
        }
    }

    private void caughtUp(Viewer viewer) {
        if (viewer.behind) {
            viewer.behind = false;
            caughtUpMicros.recordValue(Math.max(0, (System.nanoTime() - reconnectNanos) / 1_000));
            behind.decrementAndGet();
        }
    }

    /**
     * Reconnects all cut viewers. A viewer has caught up when its stream is open and it has seen this seq of its
     * thread.
     */
    void reconnect(List<URI> nodes, long seq) {
        awaitedSeq = seq;
        int count = 0;
        for (Viewer viewer : viewers) {
            if (!viewer.open) {
                viewer.behind = true;
                count++;
            }
        }
        behind.set(count);
        reconnectNanos = System.nanoTime();
        open(nodes);
    }

    int behind() {
        openCount();
        return behind.get();
    }

    /** The times that viewers took to catch up, in microseconds. */
    Recorder caughtUpMicros() {
        return caughtUpMicros;
    }

    /** True if every viewer of a thread has seen all entries of that thread. */
    boolean hasSeenAll(AtomicLongArray entries) {
        for (int i = inboxes; i < viewers.length; i++) {
            if (viewers[i].seen.seq() < entries.get(i % threads.size())) {
                return false;
            }
        }
        return true;
    }

    int gaps() {
        return (int) Stream.of(viewers).mapToLong(viewer -> viewer.seen.gaps()).sum();
    }

    int repeats() {
        return (int)
                Stream.of(viewers).mapToLong(viewer -> viewer.seen.repeats()).sum();
    }

    @Override
    public void close() {
        mayEnd = true;
        streams.close();
    }
}
