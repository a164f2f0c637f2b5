package dev.parley.bench.fanout;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.BareProcess;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.PostRequest;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Compares deliveries to viewers with the deliveries of a bare server. Both servers run all the time, and the benchmark
 * measures them in turns, because both must see the same state of the machine.
 */
public record FanoutBench(Plan plan, Workbench bench) {
    public static final BenchCommand COMMAND = Scenario.of(
            "fanout",
            "deliveries to viewers against a bare server that writes the same bytes, side by side",
            """
                --viewers 1000       viewers of the one thread
                --threads 1000       threads with two viewers each
                --rate 20            posts a second to the one thread
                --spread-rate 500    posts a second to all of the threads together
                --content-bytes 200  length of a message
                --seconds 10         length of each measured window
                --rounds 3           windows of each peer
                --warm-up 20         seconds that each peer runs before it is measured
                --json FILE          file of the figures (target/bench/fanout.json)
            """,
            Plan::of,
            (plan, bench) -> new FanoutBench(plan, bench).measure());

    private static final Duration MAX_LEAD_IN = Duration.ofSeconds(2);

    record Plan(
            int viewers,
            int threads,
            int rate,
            int spreadRate,
            int contentBytes,
            Duration window,
            int rounds,
            Duration warmUp,
            Path json)
            implements Scenario.Plan {
        static Plan of(Flags flags) {
            return new Plan(
                    flags.number("viewers", 1, 10_000),
                    flags.number("threads", 1, 5_000),
                    flags.number("rate", 1, 10_000),
                    flags.number("spread-rate", 1, 10_000),
                    flags.number("content-bytes", 1, 5_000),
                    flags.seconds("seconds", 1, 3_600),
                    flags.number("rounds", 1, 100),
                    flags.seconds("warm-up", 0, 3_600),
                    flags.path("json"));
        }

        /** The channels, their viewers in total, and their posts per second in total. */
        record Shape(String name, int channels, int viewers, int rate) {}

        List<Shape> shapes() {
            return List.of(
                    new Shape("1 thread × " + viewers + " viewers", 1, viewers, rate),
                    new Shape(threads + " threads × 2 viewers", threads, threads * 2, spreadRate));
        }
    }

    private FanoutReport measure() throws IOException, InterruptedException {
        Accounts accounts = new Accounts(1);
        Path folder = bench.folder().resolve("server");
        ServerProcess server = bench.keep(ServerProcess.alone(folder, accounts));
        ParleyFanout parley =
                new ParleyFanout(server, accounts, plan.threads(), PostRequest.content(plan.contentBytes()));
        byte[] frame = parley.sampleFrame();
        bench.out().println("an event is " + frame.length + " bytes");
        BareProcess bare = bench.keep(new BareProcess(bench.folder()));
        List<FanoutPeer> peers = List.of(parley.peer(), FanoutPeer.bare(bare, frame));
        List<FanoutReport.Window> windows = new ArrayList<>();
        for (Plan.Shape shape : plan.shapes()) {
            if (!plan.warmUp().isZero()) {
                for (FanoutPeer peer : peers) {
                    measure(peer, shape, true, 0, plan.warmUp());
                }
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                for (boolean viewed : List.of(true, false)) {
                    for (FanoutPeer peer : peers) {
                        windows.add(print(measure(peer, shape, viewed, round, plan.window())));
                    }
                }
            }
        }
        return new FanoutReport(bench.machine(), plan, frame.length, List.copyOf(windows));
    }

    private static FanoutReport.Window measure(
            FanoutPeer peer, Plan.Shape shape, boolean viewed, int round, Duration length) throws InterruptedException {
        try (ChannelViewers viewers = new ChannelViewers(peer, shape.channels(), viewed ? shape.viewers() : 0)) {
            viewers.awaitOpen();
            try (Posters posters = new Posters(peer, shape.channels(), shape.rate())) {
                Window window = new Window(peer.used());
                Window.Count posts = window.count(posters::posted);
                Window.Count deliveries = window.count(viewers::delivered);
                Thread.sleep(Window.leadIn(length, MAX_LEAD_IN));
                viewers.takeSkew();
                window.sleep(length);
                Histogram skew = viewers.takeSkew();
                return new FanoutReport.Window(
                        shape.name(),
                        peer.name(),
                        viewed,
                        round,
                        window.seconds(),
                        posts.grown(),
                        deliveries.grown(),
                        window.cpu().servers().toNanos() / 1e6,
                        window.cpu().load().toNanos() / 1e6,
                        skew.getValueAtPercentile(50) / 1e3,
                        skew.getValueAtPercentile(99) / 1e3);
            }
        }
    }

    private FanoutReport.Window print(FanoutReport.Window window) {
        bench.out()
                .printf(
                        "round %d  %-28s %-12s %,7.0f posts/s %,9.0f deliveries/s  %,6.0f ms CPU%s%n",
                        window.round(),
                        window.shape(),
                        window.peer(),
                        window.postsPerSecond(),
                        window.deliveriesPerSecond(),
                        window.serverMillis(),
                        window.viewed() ? "" : "  (posts only)");
        return window;
    }
}
