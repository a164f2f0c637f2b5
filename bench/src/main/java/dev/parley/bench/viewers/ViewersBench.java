package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.MemoryUse;
import dev.parley.bench.rig.OpenFiles;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import org.awaitility.Awaitility;

/**
 * Measures viewers that connect, are idle, lose their node and reconnect. Then measures restarts of a server. Fails if
 * a viewer missed an event or saw an event twice.
 */
public final class ViewersBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "viewers",
            "the cost of idle viewers, and their return after a kill",
            """
                --viewers 10000      streams that are open at the same time, over the nodes in turn
                --inboxes 1000       streams of inboxes, each of another user; the others follow a thread each
                --threads 1000       threads that they follow
                --nodes 1            servers on one PostgreSQL; the first one is killed
                --bus redis          carrier of wake-ups between several: redis, postgres or none
                --idle 60            seconds without any event
                --starts 5           measured starts, and restarts after kill -9; 0 for none
                --json FILE          file of the figures (target/bench/viewers.json)
            """,
            Plan::of,
            (plan, bench) -> new ViewersBench(plan, bench).measure());

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(20);
    /** After this time, viewers receive no more events that were posted before they connected. */
    private static final Duration SETTLING = Duration.ofSeconds(4);

    record Plan(int viewers, int inboxes, int threads, int nodes, Bus bus, Duration idle, int starts, Path json)
            implements Scenario.Plan {
        static Plan of(Flags flags) {
            // More viewers need more ports than there are for connections to one address.
            int viewers = flags.number("viewers", 1, 25_000);
            int nodes = flags.number("nodes", 1, 16);
            Plan plan = new Plan(
                    viewers,
                    flags.number("inboxes", viewers / 10, 0, Math.min(viewers, 10_000)),
                    flags.number("threads", Math.min(1_000, viewers), 1, 10_000),
                    nodes,
                    Bus.of(flags, nodes),
                    flags.seconds("idle", 1, 3_600),
                    flags.number("starts", 0, 100),
                    flags.path("json"));
            OpenFiles.requireRoomFor(viewers);
            return plan;
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final Cluster cluster;
    private final List<ThreadId> threads;
    private final AtomicLongArray acknowledged;
    private final ViewerCrowd crowd;

    private ViewersBench(Plan plan, Workbench bench) {
        this.plan = plan;
        this.bench = bench;
        Accounts accounts = new Accounts(1 + plan.inboxes());
        this.cluster = bench.keep(new Cluster(bench.folder(), accounts, plan.nodes(), plan.bus()));
        this.threads = accounts.makeThreadsApart(cluster.uri(), plan.threads());
        this.acknowledged = new AtomicLongArray(plan.threads());
        this.crowd = bench.keep(new ViewerCrowd(accounts.users(), threads, plan.inboxes(), plan.viewers()));
    }

    private ViewersReport measure() throws IOException, InterruptedException {
        postOneToEach(0);
        MemoryUse before = ViewerMemory.afterCollection(cluster);
        double opening = open();
        ViewerMemory memory = new ViewerMemory(
                plan.viewers(), before, ViewerMemory.now(cluster), ViewerMemory.afterCollection(cluster));
        bench.out().printf("%,d viewers open after %.1f s%n", plan.viewers(), opening);
        IdleCost idle = idle();
        ViewerReturn back = comeBack();
        bench.out()
                .printf(
                        "%,d viewers back after %.1f s%n",
                        back.viewers(), back.caughtUp().max() / 1e3);
        StartProbe.Times starts = new StartProbe(bench.folder().resolve("alone")).measure(plan.starts());
        return new ViewersReport(bench.machine(), plan, opening, memory, idle, back, starts);
    }

    private double open() {
        long start = System.nanoTime();
        crowd.open(cluster.uris());
        await(() -> crowd.openCount() == plan.viewers() && crowd.hasSeenAll(acknowledged));
        return secondsSince(start);
    }

    private IdleCost idle() throws InterruptedException {
        Thread.sleep(SETTLING);
        Window window = new Window(cluster::used);
        Window.Count bytes = window.count(crowd::bytes);
        window.sleep(plan.idle());
        crowd.openCount();
        return new IdleCost(window.seconds(), plan.viewers(), window.cpu(), bytes.grown());
    }

    /**
     * Kills the first node. Messages are posted before and during the reconnects of the viewers. Another node accepts
     * these messages or, if there is no other node, the same node after its restart.
     */
    private ViewerReturn comeBack() throws InterruptedException {
        crowd.expectEnds();
        int all = crowd.openCount();
        int share = (plan.viewers() + plan.nodes() - 1) / plan.nodes();
        long killed = System.nanoTime();
        cluster.kill(0);
        await(() -> crowd.openCount() == all - share);
        List<URI> others = new ArrayList<>(cluster.uris().subList(1, cluster.size()));
        if (others.isEmpty()) {
            cluster.startAgain(0);
            others.add(cluster.uri());
        }
        double down = secondsSince(killed);
        Window window = new Window(cluster::used).begin();
        postOneToEach(cluster.size() - 1);
        try (Posting posting = new Posting(others.getLast(), cluster.user(0), threads, acknowledged)) {
            long seq = acknowledged.get(0);
            posting.keepPosting();
            crowd.reconnect(others, seq);
            await(() -> crowd.behind() == 0);
            double whole = secondsSince(killed);
            posting.stop();
            await(() -> crowd.hasSeenAll(acknowledged));
            window.end();
            Latencies caughtUp = Latencies.ofMicros(crowd.caughtUpMicros().getIntervalHistogram());
            return new ViewerReturn(share, down, caughtUp, whole, window.cpu(), crowd.gaps(), crowd.repeats());
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private void postOneToEach(int node) throws InterruptedException {
        try (Posting posting = new Posting(cluster.uris().get(node), cluster.user(0), threads, acknowledged)) {
            posting.oneToEach();
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(LIMIT).pollInterval(POLL).until(condition);
    }
}
