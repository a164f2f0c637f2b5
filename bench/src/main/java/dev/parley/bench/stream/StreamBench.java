package dev.parley.bench.stream;

import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.CpuTime;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The whole benchmark: both peers run all the time and take their turns. */
final class StreamBench {
    private static final Path FOLDER = Path.of("target", "bench", "stream");
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration LEAD_IN = Duration.ofSeconds(1);

    private final StreamPlan plan;
    private final PrintStream out;

    StreamBench(StreamPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    StreamReport run() throws IOException, SQLException, InterruptedException {
        Machine machine = Machine.here();
        out.println(machine);
        Path folder = Folders.empty(FOLDER);
        List<Measured> windows = new ArrayList<>();
        try (Cleanup cleanup = new Cleanup()) {
            DiskProbe.Flush flush = DiskProbe.measure(folder, Duration.ofSeconds(1));
            ParleyPeer parley = cleanup.keep(new ParleyPeer(folder, plan.runs()));
            DirectPeer direct = cleanup.keep(new DirectPeer(folder));
            CommitProbe commits = cleanup.keep(new CommitProbe(cleanup.keep(parley.connectAgain())));
            if (!plan.warmUp().isZero()) {
                measure(parley, commits, 0, plan.warmUp());
                measure(direct, commits, 0, plan.warmUp());
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                windows.add(say(measure(parley, commits, round, plan.window())));
                windows.add(say(measure(direct, commits, round, plan.window())));
            }
            return new StreamReport(machine, plan, flush, List.copyOf(windows));
        } finally {
            Folders.delete(folder);
        }
    }

    private Measured measure(Peer peer, CommitProbe commits, int round, Duration window)
            throws IOException, InterruptedException {
        peer.renew();
        try (Drivers drivers = new Drivers(peer, plan.runs(), plan.rate())) {
            drivers.awaitOpen(OPEN_LIMIT);
            try (Viewers viewers = new Viewers(peer, plan.runs())) {
                viewers.awaitOpen(OPEN_LIMIT);
                drivers.begin();
                Thread.sleep(LEAD_IN);
                viewers.take();
                commits.take();
                Sample before = sample(peer);
                Thread.sleep(window);
                Measured.Times latency = Measured.Times.of(viewers.take());
                Measured.Times commit = Measured.Times.of(commits.take());
                Sample after = sample(peer);
                drivers.check();
                double each = 1e3 * Math.max(1, latency.count());
                return new Measured(
                        peer.name(),
                        round,
                        (after.nanos() - before.nanos()) / 1e9,
                        latency.count(),
                        latency,
                        commit,
                        after.server().minus(before.server()).toNanos() / each,
                        after.database().minus(before.database()).toNanos() / each,
                        after.client().minus(before.client()).toNanos() / each);
            }
        }
    }

    private record Sample(long nanos, Duration server, Duration database, Duration client) {}

    private static Sample sample(Peer peer) {
        return new Sample(System.nanoTime(), peer.serverCpu(), peer.databaseCpu(), CpuTime.ofThisProcess());
    }

    private Measured say(Measured window) {
        out.printf(
                "round %d  %-8s %,7.0f tokens/s  p50 %,d µs  p99 %,d µs  (a commit: p50 %,d µs)  %,.0f µs CPU each%n",
                window.round(),
                window.peer(),
                window.tokens() / window.seconds(),
                window.latency().p50(),
                window.latency().p99(),
                window.commit().p50(),
                window.serverMicros() + window.databaseMicros());
        return window;
    }
}
