package dev.parley.bench.runs;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Demand;
import dev.parley.bench.rig.EventScan;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.EventText;
import dev.parley.bench.rig.HttpBytes;
import dev.parley.bench.rig.OpenLoop;
import dev.parley.bench.rig.Tally;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs and makes reads at their rates, on the threads and nodes in turn. One viewer per thread sees the runs
 * end. A run is complete when its viewer has received the bytes of the run's terminal event.
 */
final class RunsLoad implements EventStreams.Listener, AutoCloseable {
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
    private final List<Demand> reads = List.of(pages, states, histories);
    private final RunsUnderWay underWay = new RunsUnderWay();
    private final AtomicReferenceArray<@Nullable String> lastRun;
    private final AtomicReferenceArray<@Nullable String> lastEvent;
    private final Queue<Integer> cutOff = new ConcurrentLinkedQueue<>();
    private final Tally ends = new Tally();
    private final EventStreams viewers = new EventStreams(this);
    private final OpenLoop loop;
    private volatile boolean closed;
    private long run;
    private int nextRead;

    RunsLoad(Cluster cluster, List<ThreadId> threads) {
        this.nodes = cluster.uris();
        this.threads = threads;
        this.token = cluster.user(0).token();
        this.lastRun = new AtomicReferenceArray<>(threads.size());
        this.lastEvent = new AtomicReferenceArray<>(threads.size());
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

    /**
     * Reopens each cut stream after the last event that its viewer has seen. Otherwise the viewer could miss the end of
     * a run, and the wait for that run would be in vain.
     */
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
        String body = "{\"threadId\":\"" + threads.get(thread) + "\",\"runId\":\"" + name
                + "\",\"messages\":[{\"id\":\"q-" + name + "\",\"role\":\"user\",\"content\":\"Hi\"}]}";
        return HttpBytes.post(nodes.get(node), "/api/v1/agent/runs", token, body);
    }

    private ThreadId nextRead() {
        return threads.get(nextRead++ % threads.size());
    }

    /**
     * The path of the next read. The read asks for the run that ended last in the next thread, or for all runs in that
     * thread if no run has ended there.
     */
    private String statePath() {
        int thread = nextRead++ % threads.size();
        String last = lastRun.get(thread);
        String runs = "/api/v1/agent/threads/" + threads.get(thread) + "/runs";
        return last == null ? runs : runs + "/" + last;
    }

    private byte[] get(int node, String path) {
        return HttpBytes.get(nodes.get(node), path, token);
    }

    @Override
    public EventStreams.Scan scan(int thread) {
        return new EventScan(event -> seen(thread, event));
    }

    @Override
    public void ended(int thread, IOException why) {
        if (!closed) {
            cutOff.add(thread);
            ends.failed("a viewer's stream ended: " + why);
        }
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
            ends.failed("a run did not end as it should: " + event.data());
            return;
        }
        ends.done(due.getAsLong());
        lastRun.set(thread, name);
    }

    private static String nameIn(String data) {
        String before = "\"runId\":\"";
        int from = data.indexOf(before) + before.length();
        return data.substring(from, data.indexOf('"', from));
    }

    /**
     * The number of due runs that have neither failed nor ended at their viewers. Due runs that are not sent yet count,
     * too.
     */
    long unfinished() {
        return underWay.unfinished(starts.due(), starts.tally().failures());
    }

    /** True if all runs have ended or failed, and no read waits for a connection or an answer. */
    boolean isIdle() {
        return unfinished() == 0 && reads.stream().allMatch(kind -> kind.waiting() == 0);
    }

    long due() {
        return starts.due();
    }

    long finished() {
        return underWay.finished();
    }

    long readsDone() {
        return reads.stream().mapToLong(kind -> kind.tally().done()).sum();
    }

    /** The outcomes of all requests and runs, in the order in which failures are reported. */
    private Stream<Tally> outcomes() {
        return Stream.of(starts.tally(), pages.tally(), states.tally(), histories.tally(), ends);
    }

    long failures() {
        return outcomes().mapToLong(Tally::failures).sum();
    }

    /** The first failure since the last call. */
    @Nullable
    String takeFirstFailure() {
        List<String> failures = outcomes()
                .flatMap(tally -> Stream.ofNullable(tally.takeFirstFailure()))
                .toList();
        return failures.isEmpty() ? null : failures.getFirst();
    }

    Histogram takeStarts() {
        return starts.tally().takeLatencies();
    }

    Histogram takeCompletions() {
        return ends.takeLatencies();
    }

    Histogram takeReads() {
        Histogram all = new Histogram(3);
        reads.forEach(kind -> all.add(kind.tally().takeLatencies()));
        return all;
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        viewers.close();
    }
}
