package dev.parley.bench.prove.hostile;

import dev.parley.bench.prove.Proof;
import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.ApiCaller;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Table;
import dev.parley.testkit.chat.DiscordCaller;
import dev.parley.testkit.chat.LocalApi;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Measures honest callers alone, and then beside a crowd of hostile ones, on one server with a small heap. */
public final class HostileProof {
    public static final BenchCommand COMMAND = new BenchCommand(
            "hostile", "honest callers are served beside greedy and hostile ones", """
                --honest 20          honest callers, each in a thread of its own
                --minutes 5          length of the attacks; a fifth of it before, without them
                --heap 512m          heap of the server
                --seed N             of the honest callers' pauses (1)
            """, HostileProof::run);

    private static final String SCRATCH = "hostile";
    /** An honest caller counts an answer that takes longer as an error. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    /** The p99 of honest requests may grow by this factor beside the attacks. */
    private static final double MAX_RATIO = 5;

    private final Path folder;
    private final Setup setup;
    private final PrintStream out;
    private final Accounts accounts;
    private final List<Honest> honest = new ArrayList<>();

    /**
     * The parameters of a proof.
     *
     * @param heap the heap of the server, in the notation of the JVM
     * @param alone the length of the phase without attacks
     * @param beside the length of the phase with attacks
     */
    record Setup(int honest, String heap, Duration alone, Duration beside, long seed) {}

    /** An honest caller, its thread, and the contents that were acknowledged. */
    private record Honest(ApiCaller caller, String thread, List<String> acknowledged) {}

    /**
     * The result of the proof.
     *
     * @param undisturbed the figures of the honest callers alone
     * @param beside the figures of the honest callers beside the attacks
     * @param strikes the number of strikes of each attack
     * @param violations broken promises in words; empty if the proof holds
     */
    record Finding(
            HonestFigures.Phase undisturbed,
            HonestFigures.Phase beside,
            Map<String, Long> strikes,
            List<String> violations) {
        double ratio() {
            return beside.millis().p99() / undisturbed.millis().p99();
        }
    }

    HostileProof(Path folder, Setup setup, PrintStream out) {
        this.folder = folder;
        this.setup = setup;
        this.out = out;
        this.accounts = new Accounts(setup.honest() + Attacks.COUNT);
    }

    private static int run(Flags flags, PrintStream out) throws IOException, InterruptedException {
        Duration beside = flags.minutes("minutes", 1, 24 * 60);
        Setup setup = new Setup(
                flags.number("honest", 1, 1_000), flags.text("heap"), beside.dividedBy(5), beside, flags.seed());
        Finding finding = new HostileProof(Folders.empty(Proof.path(SCRATCH)), setup, out).run();
        List<String> violations = new ArrayList<>(finding.violations());
        if (finding.ratio() > MAX_RATIO) {
            violations.add(
                    "p99 of honest callers beside the attacks is %.1f times that without".formatted(finding.ratio()));
        }
        Proof.show(violations, out);
        out.println();
        out.println(phases(finding));
        out.println(new Columns<Map.Entry<String, Long>>()
                .add("attack", Map.Entry::getKey)
                .add("strikes", Map.Entry::getValue)
                .of(List.copyOf(finding.strikes().entrySet())));
        out.printf("p99 ratio %.1f, violations %d; ", finding.ratio(), violations.size());
        return Proof.conclude("hostile.json", finding, violations.isEmpty(), out, SCRATCH);
    }

    private static Table phases(Finding finding) {
        return new Columns<Map.Entry<String, HonestFigures.Phase>>()
                .add("honest callers", Map.Entry::getKey)
                .add("answered", each -> each.getValue().succeeded())
                .add("repeated", each -> each.getValue().retried())
                .add("failed", each -> each.getValue().failed())
                .tenths("p50 ms", each -> each.getValue().millis().p50())
                .tenths("p99 ms", each -> each.getValue().millis().p99())
                .tenths("max ms", each -> each.getValue().millis().max())
                .of(List.of(
                        Map.entry("undisturbed", finding.undisturbed()),
                        Map.entry("beside the attacks", finding.beside())));
    }

    Finding run() {
        try (LocalApi receiver = Attacks.slowReceiver();
                ServerProcess server = ServerProcess.alone(
                        ServerProcess.Program.parley("-Xmx" + setup.heap()),
                        folder,
                        accounts,
                        "--rate-limits",
                        "on",
                        "--shutdown-grace",
                        "1s",
                        "--outbound-allow",
                        receiver.url().getAuthority(),
                        "--operators",
                        accounts.users().getFirst().id().toString(),
                        "--discord-public-key",
                        new DiscordCaller().publicKey())) {
            return attack(server, receiver);
        } finally {
            honest.forEach(each -> each.caller().close());
        }
    }

    private Finding attack(ServerProcess server, LocalApi receiver) {
        for (int i = 0; i < setup.honest(); i++) {
            ApiCaller caller = new ApiCaller(server.uri(), accounts.users().get(i), ANSWER_LIMIT);
            honest.add(new Honest(caller, Attacks.newThread(caller, "honest " + i), new ArrayList<>()));
        }
        // This phase does not count, because the first requests of a JVM are slow and would make the attacks look
        // harmless.
        phase(setup.alone().dividedBy(2));
        HonestFigures.Phase alone = phase(setup.alone());
        out.printf(
                "  alone: %d requests, p99 %.1f ms%n",
                alone.succeeded(), alone.millis().p99());
        Map<String, Long> strikes = new TreeMap<>();
        HonestFigures.Phase beside = besideAttacks(server, receiver, strikes, () -> phase(setup.beside()));
        List<String> violations = new ArrayList<>();
        if (server.running()) {
            honest.forEach(each ->
                    violations.addAll(HonestCaller.violations(each.caller(), each.thread(), each.acknowledged())));
        } else {
            violations.add("the server has ended: " + String.join("\n", server.output()));
        }
        if (strikes.size() < Attacks.COUNT || strikes.containsValue(0L)) {
            violations.add("an attack was never carried out: " + strikes);
        }
        beside.failures().forEach(failure -> violations.add("an honest request failed: " + failure));
        return new Finding(alone, beside, strikes, violations);
    }

    private HonestFigures.Phase phase(Duration length) {
        HonestFigures figures = new HonestFigures();
        long end = System.nanoTime() + length.toNanos();
        SplittableRandom random = new SplittableRandom(setup.seed());
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Honest each : honest) {
                all.execute(new HonestCaller(
                        each.caller(),
                        each.thread(),
                        random.split(),
                        figures,
                        each.acknowledged(),
                        () -> System.nanoTime() - end < 0));
            }
        }
        return figures.phase();
    }

    private HonestFigures.Phase besideAttacks(
            ServerProcess server, LocalApi receiver, Map<String, Long> strikes, Supplier<HonestFigures.Phase> work) {
        AtomicInteger next = new AtomicInteger(setup.honest());
        List<Attack> attacks = Attacks.all(
                () -> new ApiCaller(server.uri(), accounts.users().get(next.getAndIncrement()), ANSWER_LIMIT),
                receiver);
        Map<Attack, AtomicInteger> counts = new ConcurrentHashMap<>();
        ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor();
        try {
            attacks.forEach(attack ->
                    crowd.execute(() -> strikeOn(attack, counts.computeIfAbsent(attack, each -> new AtomicInteger()))));
            return work.get();
        } finally {
            crowd.shutdownNow();
            crowd.close();
            attacks.forEach(attack -> attack.end().run());
            counts.forEach((attack, count) -> strikes.put(attack.name(), (long) count.get()));
        }
    }

    /** Repeats an attack, whatever the server does to its requests. */
    private static void strikeOn(Attack attack, AtomicInteger count) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    attack.strike().carryOut(count.get() + 1);
                } catch (IOException refused) {
                    // The server may cut, refuse or ignore a hostile caller.
                }
                count.incrementAndGet();
                Thread.sleep(attack.pauseMillis());
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
