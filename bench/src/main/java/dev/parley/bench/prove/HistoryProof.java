package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A crowd behind a network that cuts connections, swallows packets for a while and drops answers after the commit. */
final class HistoryProof {
    private static final double DROPPED = 0.03;
    private static final int MAX_QUIET_MILLIS = 1_500;
    private static final int MAX_PAUSE_MILLIS = 400;

    private final Path folder;
    private final Crowd.Size size;
    private final int threads;
    private final long seed;

    HistoryProof(Path folder, Crowd.Size size, int threads, long seed) {
        this.folder = folder;
        this.size = size;
        this.threads = threads;
        this.seed = seed;
    }

    Finding run(Duration length) throws IOException, InterruptedException {
        Folders.empty(folder);
        Accounts accounts = new Accounts(size.users());
        try (Cleanup cleanup = new Cleanup()) {
            ServerProcess server =
                    cleanup.keep(ServerProcess.start(folder, accounts.environment(), List.of("--log-level", "warn")));
            List<ThreadId> made = accounts.makeThreads(server.uri(), threads);
            FaultProxy network = cleanup.keep(FaultProxy.to(server.uri()));
            Crowd crowd = cleanup.keep(new Crowd(network.uri(), accounts.users(), made, size, seed));
            network.dropAnswers(DROPPED, seed, line -> line.startsWith("POST "));
            crowd.start();
            disturb(network, length);
            network.keepAnswers();
            Verdict verdict = crowd.finish(server.uri());
            // Deleted with the folder if the step holds.
            Files.write(folder.resolve("server-output.txt"), server.output());
            return Finding.of("bad network", seed, verdict, crowd.incidents(), List.of(), List.of());
        }
    }

    private void disturb(FaultProxy network, Duration length) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.sleep(random.nextInt(MAX_QUIET_MILLIS));
            if (random.nextInt(4) == 0) {
                network.pause();
                Thread.sleep(random.nextInt(MAX_PAUSE_MILLIS));
                network.resume();
            } else {
                network.cutAll();
            }
        }
    }
}
