package dev.parley.bench.viewers;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.MemoryUse;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import org.awaitility.Awaitility;

/** The whole benchmark: viewers come, are idle, lose their node, and come back; then a server starts again and again. */
final class ViewersBench {
    private static final Path FOLDER = Path.of("target", "bench", "viewers");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(20);
    /** After which nothing is told any more of what happened before the viewers came. */
    private static final Duration SETTLING = Duration.ofSeconds(4);

    private final ViewersPlan plan;
    private final PrintStream out;

    ViewersBench(ViewersPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    ViewersReport run() throws IOException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        try (Cluster cluster = new Cluster(folder, new Accounts(1 + plan.inboxes()), plan.nodes(), plan.bus())) {
            List<ThreadId> threads =
                    cluster.accounts().makeThreadsApart(cluster.uris().getFirst(), plan.threads());
            AtomicLongArray acknowledged = new AtomicLongArray(plan.threads());
            postOneToEach(cluster, 0, threads, acknowledged);
            MemoryUse before = Memory.afterCollection(cluster);
            try (Crowd crowd = new Crowd(cluster.accounts().users(), threads, plan.inboxes(), plan.viewers())) {
                double opening = open(cluster, crowd, acknowledged);
                Memory memory =
                        new Memory(plan.viewers(), before, Memory.now(cluster), Memory.afterCollection(cluster));
                out.printf("%,d viewers open after %.1f s%n", plan.viewers(), opening);
                Idle idle = idle(cluster, crowd);
                Return back = comeBack(cluster, crowd, threads, acknowledged);
                out.printf(
                        "%,d viewers back after %.1f s%n",
                        back.viewers(), back.caughtUp().max() / 1e3);
                StartProbe.Times starts = new StartProbe(folder.resolve("alone")).measure(plan.starts());
                return new ViewersReport(machine, plan, opening, memory, idle, back, starts);
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private double open(Cluster cluster, Crowd crowd, AtomicLongArray acknowledged) {
        long start = System.nanoTime();
        crowd.open(cluster.uris());
        await(() -> crowd.openCount() == plan.viewers() && crowd.hasSeenAll(acknowledged));
        return (System.nanoTime() - start) / 1e9;
    }

    private Idle idle(Cluster cluster, Crowd crowd) throws InterruptedException {
        Thread.sleep(SETTLING);
        CpuUse before = cluster.used();
        long bytes = crowd.bytes();
        long start = System.nanoTime();
        Thread.sleep(plan.idle());
        double seconds = (System.nanoTime() - start) / 1e9;
        crowd.openCount();
        return new Idle(seconds, plan.viewers(), cluster.used().since(before), crowd.bytes() - bytes);
    }

    /**
     * The first node is killed. Messages are posted before anybody may come back, and while they do: by the other nodes,
     * or, if there are none, by the same one once it is started again.
     */
    private Return comeBack(Cluster cluster, Crowd crowd, List<ThreadId> threads, AtomicLongArray acknowledged)
            throws InterruptedException {
        crowd.expectEnds();
        int all = crowd.openCount();
        int share = (plan.viewers() + plan.nodes() - 1) / plan.nodes();
        long killed = System.nanoTime();
        cluster.kill(0);
        await(() -> crowd.openCount() == all - share);
        List<URI> others = new ArrayList<>(cluster.uris().subList(1, cluster.size()));
        if (others.isEmpty()) {
            cluster.startAgain(0);
            others.add(cluster.uris().getFirst());
        }
        double down = (System.nanoTime() - killed) / 1e9;
        CpuUse before = cluster.used();
        postOneToEach(cluster, cluster.size() - 1, threads, acknowledged);
        try (Posting posting =
                new Posting(others.getLast(), cluster.accounts().users().getFirst(), threads, acknowledged)) {
            long seq = acknowledged.get(0);
            posting.keepPosting();
            crowd.reconnect(others, seq);
            await(() -> crowd.behind() == 0);
            double whole = (System.nanoTime() - killed) / 1e9;
            posting.stop();
            await(() -> crowd.hasSeenAll(acknowledged));
            return new Return(
                    share,
                    down,
                    Latencies.ofMicros(crowd.caughtUpMicros().getIntervalHistogram()),
                    whole,
                    cluster.used().since(before),
                    crowd.gaps(),
                    crowd.repeats());
        }
    }

    private static void postOneToEach(Cluster cluster, int node, List<ThreadId> threads, AtomicLongArray acknowledged)
            throws InterruptedException {
        try (Posting posting =
                new Posting(cluster.uris().get(node), cluster.accounts().users().getFirst(), threads, acknowledged)) {
            posting.oneToEach();
        }
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(LIMIT).pollInterval(POLL).until(condition);
    }
}
