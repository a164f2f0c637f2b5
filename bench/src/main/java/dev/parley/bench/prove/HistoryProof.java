package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Deadline;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A crowd on a network that cuts connections, swallows packets for a while and drops answers after the commit. */
record HistoryProof(Path folder, Crowd.Size size, int threads, long seed) {
    private static final double DROPPED = 0.03;
    private static final int MAX_QUIET_MILLIS = 1_500;
    private static final int MAX_PAUSE_MILLIS = 400;

    LogFinding run(Duration length) throws IOException, InterruptedException {
        Accounts accounts = new Accounts(size.users());
        try (FrontedServer server = new FrontedServer(folder, accounts)) {
            List<ThreadId> made = accounts.makeThreads(server.uri(), threads);
            FaultProxy network = server.network();
            try (Crowd crowd = new Crowd(server.callers(), made, size, seed)) {
                network.dropAnswers(DROPPED, seed, line -> line.startsWith("POST "));
                crowd.start();
                disturb(network, Deadline.in(length));
                network.keepAnswers();
                Verdict verdict = crowd.finish(server.uri());
                return LogFinding.of("bad network", seed, verdict, crowd.incidents(), List.of(), List.of());
            }
        }
    }

    private void disturb(FaultProxy network, Deadline end) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        while (!end.isOver()) {
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
