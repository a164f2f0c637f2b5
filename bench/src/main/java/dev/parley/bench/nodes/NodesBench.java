package dev.parley.bench.nodes;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** The whole benchmark: one node and several run all the time and take their turns, so that both see the machine alike. */
final class NodesBench {
    private static final Path FOLDER = Path.of("target", "bench", "nodes");
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration FLUSH_PROBE = Duration.ofMillis(300);

    private final NodesPlan plan;
    private final PrintStream out;

    NodesBench(NodesPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /** A cluster and the load on it. */
    private record Side(Cluster cluster, ChatLoad load) {}

    NodesReport run() throws IOException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<Measured> windows = new ArrayList<>();
        try (Cleanup cleanup = new Cleanup()) {
            List<Side> sides = List.of(
                    side(cleanup, folder.resolve("one"), 1, Bus.NONE),
                    side(cleanup, folder.resolve("several"), plan.nodes(), plan.bus()));
            if (!plan.warmUp().isZero()) {
                for (Side side : sides) {
                    measure(side, folder, 0, plan.warmUp());
                }
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                for (Side side : sides) {
                    windows.add(say(measure(side, folder, round, plan.window())));
                }
            }
            return new NodesReport(machine, plan, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private Side side(Cleanup cleanup, Path folder, int nodes, Bus bus) {
        Cluster cluster = cleanup.keep(new Cluster(folder, new Accounts(1), nodes, bus));
        ChatLoad load = cleanup.keep(new ChatLoad(cluster, plan.threads(), plan.viewers(), plan.contentBytes()));
        Awaitility.await().atMost(LIMIT).until(load::isWatched);
        return new Side(cluster, load);
    }

    private Measured measure(Side side, Path folder, int round, Duration window)
            throws IOException, InterruptedException {
        DiskProbe.Flush flush = DiskProbe.measure(folder, FLUSH_PROBE);
        ChatLoad load = side.load();
        long failuresBefore = load.failures();
        load.takeFirstFailure();
        load.rate(plan.rate());
        Thread.sleep(leadIn(window));
        load.takePosts();
        load.takeDeliveries();
        Sample before = Sample.of(side);
        Thread.sleep(window);
        Sample after = Sample.of(side);
        Latencies posts = Latencies.ofMicros(load.takePosts());
        Latencies deliveries = Latencies.ofMicros(load.takeDeliveries());
        load.rate(0);
        // What arrived late, and what never did: a window ends only when every viewer has everything.
        Awaitility.await().atMost(LIMIT).until(() -> load.isIdle() || load.failures() > failuresBefore);
        CpuUse used = after.cpu().since(before.cpu());
        return new Measured(
                side.cluster().size(),
                round,
                (after.nanos() - before.nanos()) / 1e9,
                after.posted() - before.posted(),
                after.delivered() - before.delivered(),
                load.failures() - failuresBefore,
                load.takeFirstFailure(),
                used.per(after.posted() - before.posted()),
                used.per(after.delivered() - before.delivered()),
                posts,
                deliveries,
                flush);
    }

    private static Duration leadIn(Duration window) {
        Duration third = window.dividedBy(3);
        Duration longest = Duration.ofSeconds(2);
        return third.compareTo(longest) < 0 ? third : longest;
    }

    private record Sample(long nanos, long posted, long delivered, CpuUse cpu) {
        static Sample of(Side side) {
            return new Sample(
                    System.nanoTime(),
                    side.load().posted(),
                    side.load().deliveredCount(),
                    side.cluster().used());
        }
    }

    private Measured say(Measured window) {
        out.printf(
                "round %d  %d node(s)  %,6.0f messages/s %,7.0f deliveries/s  %,5.0f µs CPU a message  delivered p50 %,.1f p99 %,.1f ms%s%n",
                window.round(),
                window.nodes(),
                window.messages() / window.seconds(),
                window.deliveries() / window.seconds(),
                window.perMessage().serving(),
                window.delivery().p50(),
                window.delivery().p99(),
                window.failures() == 0 ? "" : "  " + window.failures() + " FAILED: " + window.firstFailure());
        return window;
    }
}
