package dev.parley.bench.runs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Demand;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.EventText;
import dev.parley.bench.rig.OpenLoop;
import dev.parley.protocol.ThreadId;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Runs and reads that are due at their rates, thread after thread and node after node, and one viewer per thread that
 * sees the runs end. A run is complete when its viewer has the bytes of its terminal event.
 */
final class RunsLoad implements AutoCloseable {
    private static final int CONNECTIONS_EACH = 128;
    private static final int PAGE = 50;

    private final List<URI> nodes;
    private final List<ThreadId> threads;
    private final String token;
    private final Demand starts = new Demand(202, this::start);
    private final Demand pages = new Demand(
            200, (node, due) -> get(node, "/api/v1/chat/threads/%s/messages?limit=".formatted(nextRead()) + PAGE));
    private final Demand states = new Demand(200, (node, due) -> get(node, statePath()));
    private final Demand histories = new Demand(
            200, (node, due) -> get(node, "/api/v1/agent/history?threadId=%s&limit=".formatted(nextRead()) + PAGE));
    private final RunsUnderWay underWay = new RunsUnderWay();
    private final AtomicReferenceArray<@Nullable String> lastRun;
    private final AtomicReferenceArray<@Nullable String> lastEvent;
    private final Queue<Integer> cutOff = new ConcurrentLinkedQueue<>();
    private final Recorder completion = new Recorder(3);
    private final LongAdder failed = new LongAdder();
    private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
    private final EventStreams viewers;
    private final OpenLoop loop;
    private volatile boolean closed;
    private long run;
    private int read;

    RunsLoad(Cluster cluster, List<ThreadId> threads) {
        this.nodes = cluster.uris();
        this.threads = threads;
        this.token = cluster.accounts().users().getFirst().token();
        this.lastRun = new AtomicReferenceArray<>(threads.size());
        this.lastEvent = new AtomicReferenceArray<>(threads.size());
        this.viewers = new EventStreams(new EventStreams.Listener() {
            @Override
            public void event(int stream, EventText event) {
                seen(stream, event);
            }

            @Override
            public void ended(int stream, String why) {
                if (!closed) {
                    cutOff.add(stream);
                    fail("a viewer's stream ended: " + why);
                }
            }
        });
        for (int i = 0; i < threads.size(); i++) {
            watch(i);
        }
        this.loop = new OpenLoop(nodes, CONNECTIONS_EACH, List.of(starts, pages, states, histories));
    }

    private void watch(int thread) {
        viewers.open(
                thread,
                nodes.get(thread % nodes.size()),
                "/api/v1/agent/runs/" + threads.get(thread) + "/events",
                token,
                lastEvent.get(thread));
    }

    /** Viewers that were cut off go on after what they saw last, so that no run is waited for in vain. */
    void watchAgain() {
        for (Integer thread = cutOff.poll(); thread != null; thread = cutOff.poll()) {
            watch(thread);
        }
    }

    boolean isWatched() {
        return viewers.openCount() == threads.size();
    }

    void rate(int runs, int reads) {
        starts.rate(runs);
        pages.rate((reads + 2) / 3);
        states.rate((reads + 1) / 3);
        histories.rate(reads / 3);
    }

    private byte[] start(int node, long due) {
        int thread = (int) (run % threads.size());
        String name = "run-" + run++;
        underWay.begin(name, due);
        byte[] body = ("{\"threadId\":\"" + threads.get(thread) + "\",\"runId\":\"" + name
                        + "\",\"messages\":[{\"id\":\"q-" + name + "\",\"role\":\"user\",\"content\":\"Hi\"}]}")
                .getBytes(UTF_8);
        byte[] head = ("POST /api/v1/agent/runs HTTP/1.1\r\nHost: "
                        + nodes.get(node).getAuthority()
                        + "\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(UTF_8);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private ThreadId nextRead() {
        return threads.get(read++ % threads.size());
    }

    /** The state of the thread's last run, or of all of its runs while none has ended. */
    private String statePath() {
        int thread = read++ % threads.size();
        String last = lastRun.get(thread);
        String runs = "/api/v1/agent/threads/" + threads.get(thread) + "/runs";
        return last == null ? runs : runs + "/" + last;
    }

    private byte[] get(int node, String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: " + nodes.get(node).getAuthority() + "\r\nAuthorization: Bearer "
                        + token + "\r\n\r\n")
                .getBytes(UTF_8);
    }

    private void seen(int thread, EventText event) {
        if (!event.id().isEmpty()) {
            lastEvent.set(thread, event.id());
        }
        boolean error = event.type().equals("RUN_ERROR");
        if (!error && !event.type().equals("RUN_FINISHED")) {
            return;
        }
        String name = nameIn(event.data());
        OptionalLong due = underWay.end(name, error);
        if (due.isEmpty()) {
            fail("a run did not end as it should: " + event.data());
            return;
        }
        completion.recordValue(Math.max(0, (System.nanoTime() - due.getAsLong()) / 1_000));
        lastRun.set(thread, name);
    }

    private static String nameIn(String data) {
        String before = "\"runId\":\"";
        int from = data.indexOf(before) + before.length();
        return data.substring(from, data.indexOf('"', from));
    }

    private void fail(String why) {
        failed.increment();
        firstFailure.compareAndSet(null, why);
    }

    /** Runs that were due, sent or not, and have neither failed nor been seen to end. */
    long unfinished() {
        return underWay.unfinished(starts.due(), starts.failures());
    }

    /** Nothing is due any more, and all is answered. */
    boolean isIdle() {
        return unfinished() == 0 && List.of(pages, states, histories).stream().allMatch(kind -> kind.waiting() == 0);
    }

    long due() {
        return starts.due();
    }

    long finished() {
        return underWay.finished();
    }

    long readsDone() {
        return pages.done() + states.done() + histories.done();
    }

    long failures() {
        return failed.sum() + starts.failures() + pages.failures() + states.failures() + histories.failures();
    }

    /** What failed first since the last call. */
    @Nullable
    String takeFirstFailure() {
        String first = firstFailure.getAndSet(null);
        for (Demand each : List.of(histories, states, pages, starts)) {
            String failure = each.takeFirstFailure();
            first = failure == null ? first : failure;
        }
        return first;
    }

    Histogram takeStarts() {
        return starts.takeLatencies();
    }

    Histogram takeCompletions() {
        return completion.getIntervalHistogram();
    }

    Histogram takeReads() {
        Histogram all = pages.takeLatencies();
        all.add(states.takeLatencies());
        all.add(histories.takeLatencies());
        return all;
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        viewers.close();
    }
}
