package dev.parley.bench.stream;

import dev.parley.bench.rig.BareProcess;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Window;
import dev.parley.bench.rig.Workbench;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares the time of a token on its way to its viewer with the time of a commit and with the time at a bare server.
 * Parley and the bare server run all the time and are measured in turns. Fails if a token's time is too large a
 * multiple of a commit's time.
 */
public record StreamBench(Plan plan, Workbench bench) {
    public static final BenchCommand COMMAND = Scenario.of(
            "stream",
            "a token's way from its agent to its viewer, beside a commit and a bare server",
            """
                --runs 100           runs at the same time, with one viewer each
                --rate 50            tokens per second and run
                --seconds 10         length of each measured window
                --rounds 3           windows of each peer
                --warm-up 20         seconds that each peer runs before it is measured
                --json FILE          file of the figures (target/bench/stream.json)
            """,
            Plan::of,
            (plan, bench) -> new StreamBench(plan, bench).measure());

    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration LEAD_IN = Duration.ofSeconds(1);

    record Plan(int runs, int rate, Duration window, int rounds, Duration warmUp, Path json) implements Scenario.Plan {
        static Plan of(Flags flags) {
            return new Plan(
                    flags.number("runs", 1, 5_000),
                    flags.number("rate", 1, 1_000),
                    flags.seconds("seconds", 1, 3_600),
                    flags.number("rounds", 1, 100),
                    flags.seconds("warm-up", 0, 3_600),
                    flags.path("json"));
        }
    }

    private StreamReport measure() throws IOException, SQLException, InterruptedException {
        DiskProbe.Flush flush = DiskProbe.measure(bench.folder(), Duration.ofSeconds(1));
        Cluster cluster = bench.keep(Cluster.single(bench.folder(), 1, Map.of()));
        BareProcess bare = bench.keep(new BareProcess(bench.folder()));
        CommitProbe commits = bench.keep(new CommitProbe(cluster.connect()));
        List<StreamPeer> peers = List.of(
                new StreamPeer(
                        StreamPeer.PARLEY,
                        cluster.node(0).address(),
                        cluster::used,
                        new ParleyStream(cluster, plan.runs())),
                new StreamPeer(StreamPeer.DIRECT, bare.address(), bare::used, new BareStream()));
        List<StreamReport.Window> windows = new ArrayList<>();
        if (!plan.warmUp().isZero()) {
            for (StreamPeer peer : peers) {
                measure(peer, commits, 0, plan.warmUp());
            }
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            for (StreamPeer peer : peers) {
                windows.add(print(measure(peer, commits, round, plan.window())));
            }
        }
        return new StreamReport(bench.machine(), plan, flush, List.copyOf(windows));
    }

    private StreamReport.Window measure(StreamPeer peer, CommitProbe commits, int round, Duration length)
            throws InterruptedException {
        peer.requests().renew();
        try (Drivers drivers = new Drivers(peer, plan.runs(), plan.rate())) {
            drivers.awaitOpen(OPEN_LIMIT);
            try (TokenViewers viewers = new TokenViewers(peer, plan.runs())) {
                viewers.awaitOpen(OPEN_LIMIT);
                drivers.begin();
                Thread.sleep(LEAD_IN);
                viewers.take();
                commits.take();
                Window window = new Window(peer.used()).begin();
                Thread.sleep(length);
                StreamReport.Window.Times latency = StreamReport.Window.Times.of(viewers.take());
                StreamReport.Window.Times commit = StreamReport.Window.Times.of(commits.take());
                window.end();
                drivers.check();
                CpuUse.Each each = window.cpu().per(latency.count());
                return new StreamReport.Window(
                        peer.name(),
                        round,
                        window.seconds(),
                        latency.count(),
                        latency,
                        commit,
                        each.servers(),
                        each.database(),
                        each.load());
            }
        }
    }

    private StreamReport.Window print(StreamReport.Window window) {
        bench.out()
                .printf(
                        "round %d  %-8s %,7.0f tokens/s  p50 %,d µs  p99 %,d µs  (a commit: p50 %,d µs)  %,.0f µs CPU each%n",
                        window.round(),
                        window.peer(),
                        window.tokensPerSecond(),
                        window.latency().p50(),
                        window.latency().p99(),
                        window.commit().p50(),
                        window.servingMicros());
        return window;
    }
}
