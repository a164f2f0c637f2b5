package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RunStream;
import dev.parley.sdk.Token;
import dev.parley.testkit.DatabaseAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Two servers on one database. The one that executes a run is stopped in the middle of it, long enough for the other to
 * take the run over, and then goes on where it was: it must not write another word.
 */
final class ZombieProof {
    private static final Duration TAKE_OVER = Duration.ofSeconds(60);
    private static final Duration UNDER_WAY = Duration.ofSeconds(10);
    private static final Duration STILL = Duration.ofSeconds(2);
    private static final Duration HELLO = Duration.ofSeconds(20);
    private static final Duration AFTERMATH = Duration.ofSeconds(3);
    /** Words for longer than it takes to be taken over. */
    private static final int WORDS = 2_000;

    private static final int SEEN = 10;

    private final Path folder;
    private final DatabaseAddress database;
    private final PrintStream out;
    private final Accounts accounts = new Accounts(1);
    private final Map<String, Long> states = new TreeMap<>();
    private final Map<String, Long> answers = new TreeMap<>();
    private final List<Double> takenOverAfter = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** @param database an empty one, for both */
    ZombieProof(Path folder, DatabaseAddress database, PrintStream out) {
        this.folder = folder;
        this.database = database;
        this.out = out;
    }

    /** A server and a client that calls it. */
    private record Node(ServerProcess process, Parley client) {}

    RunFinding run(int zombies) throws IOException, InterruptedException {
        Folders.empty(folder);
        try (Cleanup cleanup = new Cleanup()) {
            List<Node> nodes = List.of(node(cleanup, "first"), node(cleanup, "second"));
            for (int i = 0; i < zombies; i++) {
                round(nodes.get(i % 2), nodes.get((i + 1) % 2));
            }
            for (Node node : nodes) {
                Files.write(
                        folder.resolve("output-of-" + node.process().pid() + ".txt"),
                        node.process().output());
            }
        }
        return new RunFinding(
                "zombie",
                0,
                takenOverAfter.size(),
                states.values().stream().mapToLong(Long::longValue).sum(),
                Map.copyOf(states),
                2L * takenOverAfter.size(),
                List.copyOf(takenOverAfter),
                Map.copyOf(answers),
                List.copyOf(violations));
    }

    private Node node(Cleanup cleanup, String name) {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", database.password());
        ServerProcess process = cleanup.keep(ServerProcess.start(
                folder.resolve(name),
                environment,
                List.of(
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        database.user(),
                        "--log-level",
                        "warn")));
        Token token = new Token(accounts.users().getFirst().token());
        return new Node(process, cleanup.keep(Parley.connect(process.uri(), token)));
    }

    private void round(Node zombie, Node heir) throws InterruptedException {
        ThreadId thread = ThreadId.fresh();
        String runId = "run-" + UUID.randomUUID();
        Prompt prompt = Prompt.slow(WORDS);
        // Whoever takes a run in is woken by it first, and so executes it, as a rule.
        StartedRun run = new StartedRun(
                thread,
                runId,
                zombie.client().runs().start(thread, runId, prompt.text()).taskId(),
                prompt);
        if (!isUnderWay(heir, run)) {
            violations.add(run + " says nothing");
        } else if (!stop(zombie, heir, run) && !stop(heir, zombie, run)) {
            violations.add(run + " went on, whichever server was stopped");
        }
    }

    /** Stops a server until the other has taken the run over, and wakes it; false if it is the other that executes it. */
    private boolean stop(Node zombie, Node heir, StartedRun run) throws InterruptedException {
        zombie.process().signal("STOP");
        long stopped = System.nanoTime();
        boolean takenOver;
        RunTrace asleep;
        try {
            if (!isStill(heir, run)) {
                answers.merge("executed by the other", 1L, Long::sum);
                return false;
            }
            takenOver = awaitTakeOver(heir, run, stopped);
            asleep = RunReplay.of(heir.client(), run.thread()).run(run.runId());
        } finally {
            zombie.process().signal("CONT");
        }
        if (takenOver) {
            check(zombie, heir, run, asleep);
        }
        return true;
    }

    private static boolean isUnderWay(Node heir, StartedRun run) {
        try (RunStream stream = heir.client().runs().open(run.thread(), run.runId(), null)) {
            for (int i = 0; i < SEEN; i++) {
                if (stream.next(UNDER_WAY).isEmpty()) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Whether nothing more comes of a run that says a word every 50 ms. Only read: a server that was stopped in the middle
     * of a transaction holds up whoever writes to its thread until the database gives up on it.
     */
    private static boolean isStill(Node heir, StartedRun run) {
        long deadline = System.nanoTime() + UNDER_WAY.toNanos();
        try (RunStream stream = heir.client().runs().open(run.thread(), run.runId(), null)) {
            while (System.nanoTime() - deadline < 0) {
                if (stream.next(STILL).isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }

    private boolean awaitTakeOver(Node heir, StartedRun run, long stopped) throws InterruptedException {
        while (heir.client()
                .runs()
                .find(run.thread(), run.runId())
                .filter(view -> view.ended() != null)
                .isEmpty()) {
            if (System.nanoTime() - stopped > TAKE_OVER.toNanos()) {
                violations.add(run + " was not taken over within " + TAKE_OVER);
                return false;
            }
            Thread.sleep(100);
        }
        takenOverAfter.add((System.nanoTime() - stopped) / 1e9);
        out.printf("  taken over after %.1f s%n", takenOverAfter.getLast());
        return true;
    }

    /** Compares what there was before it woke up with what there is some time later. */
    private void check(Node zombie, Node heir, StartedRun run, RunTrace asleep) throws InterruptedException {
        Thread.sleep(AFTERMATH);
        RunView view = heir.client().runs().find(run.thread(), run.runId()).orElseThrow();
        RunReplay awake = RunReplay.of(heir.client(), run.thread());
        states.merge(
                view.state() + " " + (view.error() == null ? "" : view.error().code()), 1L, Long::sum);
        violations.addAll(RunJudge.judge(run, view, awake));
        if (!awake.run(run.runId()).isExactly(asleep)) {
            violations.add("a server that lost " + run + " went on with it: "
                    + awake.run(run.runId()).differenceTo(asleep).orElse("other events"));
        }
        if (!RunReplay.of(zombie.client(), run.thread()).run(run.runId()).isExactly(asleep)) {
            violations.add("the two servers show " + run + " differently");
        }
        StartedRun next = sayHello(zombie, run.thread());
        if (!isOver(heir, next)) {
            violations.add("a server that was stopped and woken runs nothing any more: " + next);
        }
    }

    private static StartedRun sayHello(Node node, ThreadId thread) {
        String runId = "run-" + UUID.randomUUID();
        Prompt prompt = Prompt.slow(3);
        return new StartedRun(
                thread,
                runId,
                node.client().runs().start(thread, runId, prompt.text()).taskId(),
                prompt);
    }

    private static boolean isOver(Node node, StartedRun run) throws InterruptedException {
        long deadline = System.nanoTime() + HELLO.toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (node.client()
                    .runs()
                    .find(run.thread(), run.runId())
                    .filter(view -> view.state().equals("completed"))
                    .isPresent()) {
                return true;
            }
            Thread.sleep(100);
        }
        return false;
    }
}
