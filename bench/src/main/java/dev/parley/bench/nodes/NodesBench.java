package dev.parley.bench.nodes;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Bus;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * Compares several nodes with one node. Both clusters run all the time, and the benchmark measures them in turns,
 * because both must see the same state of the machine. The benchmark fails if a message is refused.
 */
public record NodesBench(Plan plan, Workbench bench) {
    public static final BenchCommand COMMAND = Scenario.of(
            "nodes",
            "the cost of a message on several nodes, beside one",
            """
                --nodes 3            servers of the cluster that is compared with one
                --bus redis          carrier of wake-ups between them: redis, postgres or none
                --rate 300           messages due a second
                --threads 500        threads they are posted to
                --viewers 3          viewers of each thread
                --content-bytes 200  length of a message
                --seconds 15         length of each measured window
                --rounds 3           windows of each cluster
                --warm-up 30         seconds that each cluster runs before it is measured
                --json FILE          file of the figures (target/bench/nodes.json)
            """,
            Plan::of,
            (plan, bench) -> new NodesBench(plan, bench).measure());

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration MAX_LEAD_IN = Duration.ofSeconds(2);

    record Plan(
            int nodes,
            Bus bus,
            int rate,
            int threads,
            int viewers,
            int contentBytes,
            Duration window,
            int rounds,
            Duration warmUp,
            Path json)
            implements Scenario.Plan {
        static Plan of(Flags flags) {
            int nodes = flags.number("nodes", 2, 16);
            return new Plan(
                    nodes,
                    Bus.of(flags, nodes),
                    flags.number("rate", 1, 100_000),
                    flags.number("threads", 1, 10_000),
                    flags.number("viewers", 1, 100),
                    flags.number("content-bytes", 1, 4_900),
                    flags.seconds("seconds", 1, 3_600),
                    flags.number("rounds", 1, 100),
                    flags.seconds("warm-up", 0, 3_600),
                    flags.path("json"));
        }
    }

    /** A cluster and the load on it. */
    private record Side(Cluster cluster, ChatLoad load) {}

    private NodesReport measure() throws IOException, InterruptedException {
        List<Side> sides = List.of(side("one", 1, Bus.NONE), side("several", plan.nodes(), plan.bus()));
        List<NodesReport.Window> windows = new ArrayList<>();
        if (!plan.warmUp().isZero()) {
            for (Side side : sides) {
                measure(side, 0, plan.warmUp());
            }
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            for (Side side : sides) {
                windows.add(print(measure(side, round, plan.window())));
            }
        }
        return new NodesReport(bench.machine(), plan, List.copyOf(windows));
    }

    private Side side(String name, int nodes, Bus bus) {
        Path folder = bench.folder().resolve(name);
        Cluster cluster = bench.keep(new Cluster(folder, new Accounts(1), nodes, bus));
        ChatLoad load = bench.keep(new ChatLoad(cluster, plan.threads(), plan.viewers(), plan.contentBytes()));
        Awaitility.await().atMost(LIMIT).until(load::isWatched);
        return new Side(cluster, load);
    }

    private NodesReport.Window measure(Side side, int round, Duration length) throws IOException, InterruptedException {
        DiskProbe.Flush flush = bench.probeDisk();
        ChatLoad load = side.load();
        Window window = new Window(side.cluster()::used);
        Window.Count messages = window.count(load.posts()::done);
        Window.Count deliveries = window.count(load.deliveries()::done);
        long failuresBefore = load.failures();
        load.takeFirstFailure();
        load.rate(plan.rate());
        Thread.sleep(Window.leadIn(length, MAX_LEAD_IN));
        load.posts().takeLatencies();
        load.deliveries().takeLatencies();
        window.sleep(length);
        Latencies posts = Latencies.ofMicros(load.posts().takeLatencies());
        Latencies delivery = Latencies.ofMicros(load.deliveries().takeLatencies());
        load.rate(0);
        // Late and missing deliveries count, because the window ends only when every viewer has every message.
        Awaitility.await().atMost(LIMIT).until(() -> load.isIdle() || load.failures() > failuresBefore);
        return new NodesReport.Window(
                side.cluster().size(),
                round,
                window.seconds(),
                messages.grown(),
                deliveries.grown(),
                load.failures() - failuresBefore,
                load.takeFirstFailure(),
                window.cpu().per(messages.grown()),
                window.cpu().per(deliveries.grown()),
                posts,
                delivery,
                flush);
    }

    private NodesReport.Window print(NodesReport.Window window) {
        bench.out()
                .printf(
                        "round %d  %d node(s)  %,6.0f messages/s %,7.0f deliveries/s  %,5.0f µs CPU a message  delivered p50 %,.1f p99 %,.1f ms%s%n",
                        window.round(),
                        window.nodes(),
                        window.messagesPerSecond(),
                        window.deliveriesPerSecond(),
                        window.perMessage().serving(),
                        window.delivery().p50(),
                        window.delivery().p99(),
                        window.failures() == 0 ? "" : "  " + window.failures() + " FAILED: " + window.firstFailure());
        return window;
    }
}
