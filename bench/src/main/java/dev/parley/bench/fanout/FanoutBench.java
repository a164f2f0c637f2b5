package dev.parley.bench.fanout;

import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.CpuTime;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The whole benchmark: both peers run all the time and take their turns, so that both see the machine's moods alike. */
final class FanoutBench {
    private static final Path FOLDER = Path.of("target", "bench", "fanout");
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final String WORDS = "a conversation is a log that people and agents append to ";

    private final FanoutPlan plan;
    private final PrintStream out;

    FanoutBench(FanoutPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    FanoutReport run() throws IOException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<Measured> windows = new ArrayList<>();
        try (Cleanup cleanup = new Cleanup()) {
            String content =
                    WORDS.repeat(plan.contentBytes() / WORDS.length() + 1).substring(0, plan.contentBytes());
            ParleyPeer parley =
                    cleanup.keep(new ParleyPeer(folder.resolve("server"), Math.max(1, plan.threads()), content));
            byte[] frame = parley.sampleFrame();
            out.println("an event is " + frame.length + " bytes");
            BarePeer bare = cleanup.keep(new BarePeer(folder, frame));
            for (FanoutPlan.Shape shape : plan.shapes()) {
                warmUp(parley, shape);
                warmUp(bare, shape);
                for (int round = 1; round <= plan.rounds(); round++) {
                    for (boolean viewed : List.of(true, false)) {
                        windows.add(say(measure(parley, shape, viewed, round, plan.window())));
                        windows.add(say(measure(bare, shape, viewed, round, plan.window())));
                    }
                }
            }
            return new FanoutReport(machine, plan, frame.length, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private void warmUp(Peer peer, FanoutPlan.Shape shape) throws IOException, InterruptedException {
        if (!plan.warmUp().isZero()) {
            measure(peer, shape, true, 0, plan.warmUp());
        }
    }

    private Measured measure(Peer peer, FanoutPlan.Shape shape, boolean viewed, int round, Duration window)
            throws IOException, InterruptedException {
        try (Viewers viewers = new Viewers(peer, shape.channels(), viewed ? shape.viewers() : 0)) {
            viewers.awaitOpen(OPEN_LIMIT);
            try (Posters posters = new Posters(peer, shape.channels(), shape.rate())) {
                Thread.sleep(leadIn(window));
                viewers.takeSkew();
                Sample before = sample(peer, posters, viewers);
                Thread.sleep(window);
                Sample after = sample(peer, posters, viewers);
                Histogram skew = viewers.takeSkew();
                return new Measured(
                        shape.name(),
                        peer.name(),
                        viewed,
                        round,
                        (after.nanos() - before.nanos()) / 1e9,
                        after.posts() - before.posts(),
                        after.deliveries() - before.deliveries(),
                        after.server().minus(before.server()).toNanos() / 1e6,
                        after.client().minus(before.client()).toNanos() / 1e6,
                        skew.getValueAtPercentile(50) / 1e3,
                        skew.getValueAtPercentile(99) / 1e3);
            }
        }
    }

    private static Duration leadIn(Duration window) {
        Duration third = window.dividedBy(3);
        Duration longest = Duration.ofSeconds(2);
        return third.compareTo(longest) < 0 ? third : longest;
    }

    private record Sample(long nanos, long posts, long deliveries, Duration server, Duration client) {}

    private static Sample sample(Peer peer, Posters posters, Viewers viewers) {
        return new Sample(
                System.nanoTime(),
                posters.posted(),
                viewers.delivered(),
                CpuTime.ofProcess(peer.pid()),
                CpuTime.ofThisProcess());
    }

    private Measured say(Measured window) {
        out.printf(
                "round %d  %-28s %-12s %,7.0f posts/s %,9.0f deliveries/s  %,6.0f ms CPU%s%n",
                window.round(),
                window.shape(),
                window.peer(),
                window.posts() / window.seconds(),
                window.deliveries() / window.seconds(),
                window.serverMillis(),
                window.viewed() ? "" : "  (posts only)");
        return window;
    }
}
