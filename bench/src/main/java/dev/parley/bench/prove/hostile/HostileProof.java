package dev.parley.bench.prove.hostile;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.testkit.chat.DiscordCaller;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Honest callers alone, then the same beside a crowd of hostile ones, on one server with a small heap. */
final class HostileProof {
    private final Path folder;
    private final Setup setup;
    private final PrintStream out;

    /**
     * How large the proof is.
     *
     * @param heap of the server, as the JVM takes it
     * @param alone how long the honest callers are undisturbed
     * @param beside how long they are not
     */
    record Setup(int honest, String heap, Duration alone, Duration beside, long seed) {}

    HostileProof(Path folder, Setup setup, PrintStream out) {
        this.folder = folder;
        this.setup = setup;
        this.out = out;
    }

    HostileFinding run() throws IOException, InterruptedException {
        Accounts accounts = new Accounts(setup.honest() + Attacks.COUNT);
        try (Attacks.SlowReceiver receiver = new Attacks.SlowReceiver();
                ServerProcess server = ServerProcess.start(
                        new ServerProcess.Program("dev.parley.app.Main", List.of("-Xmx" + setup.heap())),
                        folder,
                        accounts.environment(),
                        List.of(
                                "--rate-limits",
                                "on",
                                "--shutdown-grace",
                                "1s",
                                "--log-level",
                                "warn",
                                "--outbound-allow",
                                receiver.authority(),
                                "--operators",
                                accounts.users().getFirst().id().toString(),
                                "--discord-public-key",
                                new DiscordCaller().publicKey()))) {
            return attack(server, accounts, receiver);
        }
    }

    private HostileFinding attack(ServerProcess server, Accounts accounts, Attacks.SlowReceiver receiver)
            throws IOException, InterruptedException {
        List<Caller> honest = new ArrayList<>();
        List<String> threads = new ArrayList<>();
        List<List<String>> acknowledged = new ArrayList<>();
        for (int i = 0; i < setup.honest(); i++) {
            Caller caller = new Caller(server.uri(), accounts.users().get(i));
            honest.add(caller);
            threads.add(caller.newThread("honest " + i));
            acknowledged.add(new ArrayList<>());
        }
        List<String> violations = new ArrayList<>();
        try {
            // The first requests of a JVM are slow, and would flatter the comparison.
            phase(honest, threads, acknowledged, setup.alone().dividedBy(2));
            HonestFigures.Phase alone = phase(honest, threads, acknowledged, setup.alone());
            out.printf(
                    "  alone: %d requests, p99 %.1f ms%n",
                    alone.succeeded(), alone.millis().p99());
            Map<String, Long> strikes = new TreeMap<>();
            HonestFigures.Phase beside = besideAttacks(
                    server, accounts, receiver, strikes, () -> phase(honest, threads, acknowledged, setup.beside()));
            if (server.running()) {
                for (int i = 0; i < honest.size(); i++) {
                    violations.addAll(HonestCaller.violations(honest.get(i), threads.get(i), acknowledged.get(i)));
                }
            } else {
                violations.add("the server has ended: " + String.join("\n", server.output()));
            }
            if (strikes.size() < Attacks.COUNT || strikes.containsValue(0L)) {
                violations.add("an attack was never carried out: " + strikes);
            }
            beside.failures().forEach(failure -> violations.add("an honest request failed: " + failure));
            return new HostileFinding(alone, beside, strikes, violations);
        } finally {
            honest.forEach(Caller::close);
        }
    }

    private HonestFigures.Phase phase(
            List<Caller> honest, List<String> threads, List<List<String>> acknowledged, Duration length) {
        HonestFigures figures = new HonestFigures();
        long end = System.nanoTime() + length.toNanos();
        SplittableRandom random = new SplittableRandom(setup.seed());
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < honest.size(); i++) {
                all.execute(new HonestCaller(
                        honest.get(i),
                        threads.get(i),
                        random.split(),
                        figures,
                        acknowledged.get(i),
                        () -> System.nanoTime() - end < 0));
            }
        }
        return figures.phase();
    }

    private interface Work {
        HonestFigures.Phase run();
    }

    private HonestFigures.Phase besideAttacks(
            ServerProcess server,
            Accounts accounts,
            Attacks.SlowReceiver receiver,
            Map<String, Long> strikes,
            Work work) {
        AtomicLong next = new AtomicLong(setup.honest());
        List<Attack> attacks = Attacks.all(
                name -> new Caller(server.uri(), accounts.users().get((int) next.getAndIncrement())), receiver);
        Map<Attack, AtomicLong> counts = new ConcurrentHashMap<>();
        ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor();
        try {
            attacks.forEach(attack ->
                    crowd.execute(() -> strikeOn(attack, counts.computeIfAbsent(attack, each -> new AtomicLong()))));
            return work.run();
        } finally {
            crowd.shutdownNow();
            crowd.close();
            attacks.forEach(Attack::close);
            counts.forEach((attack, count) -> strikes.put(attack.name(), count.get()));
        }
    }

    /** An attack goes on whatever the server does about it. */
    private static void strikeOn(Attack attack, AtomicLong count) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    attack.strike();
                    count.incrementAndGet();
                } catch (IOException refused) {
                    // Hostile callers are cut, refused or not answered: that is what they are for.
                    count.incrementAndGet();
                }
                Thread.sleep(attack.pauseMillis());
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
