package dev.parley.bench.prove;

import dev.parley.bench.rig.Accounts;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Deadline;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunView;
import dev.parley.sdk.Parley;
import dev.parley.sdk.RunStream;
import dev.parley.testkit.DatabaseAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Runs two servers on one database. The proof stops the server that executes a run, long enough for the other server to
 * take the run over. After its wake-up, the stopped server must not write another word of the run.
 */
final class ZombieProof {
    private static final Duration TAKE_OVER = Duration.ofSeconds(60);
    private static final Duration UNDER_WAY = Duration.ofSeconds(10);
    private static final Duration STILL = Duration.ofSeconds(2);
    private static final Duration HELLO = Duration.ofSeconds(20);
    private static final Duration AFTERMATH = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofMillis(100);
    /** Enough words for a run that lasts longer than the take-over. */
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

    /** @param database an empty database for both servers */
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
        ServerProcess process = cleanup.keep(ServerProcess.on(
                database, ServerProcess.Program.PARLEY, folder.resolve(name), accounts.environment(), List.of()));
        Parley client = accounts.users().getFirst().connect(process.uri());
        return new Node(process, cleanup.keep(client));
    }

    private void round(Node zombie, Node heir) throws InterruptedException {
        // The server that accepts a run notices the run first, and therefore usually executes it.
        StartedRun run = StartedRun.start(zombie.client(), ThreadId.fresh(), Prompt.slow(WORDS));
        if (!isUnderWay(heir, run)) {
            violations.add(run + " says nothing");
        } else if (!stop(zombie, heir, run) && !stop(heir, zombie, run)) {
            violations.add(run + " went on, whichever server was stopped");
        }
    }

    /**
     * Stops a server until the other server has taken the run over, and then wakes the stopped server. False if there
     * was nothing to take over, because the other server already executed the run.
     */
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
     * True if a run whose agent writes a word every 50 ms gets no more events. The check only reads, because a server
     * that was stopped within a transaction blocks every writer of the thread until the database ends the transaction.
     */
    private static boolean isStill(Node heir, StartedRun run) {
        Deadline deadline = Deadline.in(UNDER_WAY);
        try (RunStream stream = heir.client().runs().open(run.thread(), run.runId(), null)) {
            while (!deadline.isOver()) {
                if (stream.next(STILL).isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }

    private boolean awaitTakeOver(Node heir, StartedRun run, long stopped) throws InterruptedException {
        Deadline deadline = new Deadline(stopped + TAKE_OVER.toNanos());
        if (!deadline.await(POLL, () -> shows(heir, run, view -> view.ended() != null))) {
            violations.add(run + " was not taken over within " + TAKE_OVER);
            return false;
        }
        takenOverAfter.add((System.nanoTime() - stopped) / 1e9);
        out.printf("  taken over after %.1f s%n", takenOverAfter.getLast());
        return true;
    }

    /** Compares the run before the wake-up with the run some time later. */
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
        StartedRun next = StartedRun.start(zombie.client(), run.thread(), Prompt.slow(3));
        if (!Deadline.in(HELLO)
                .await(POLL, () -> shows(heir, next, last -> last.state().equals("completed")))) {
            violations.add("a server that was stopped and woken executes no run any more: " + next);
        }
    }

    private static boolean shows(Node node, StartedRun run, Predicate<RunView> state) {
        return node.client()
                .runs()
                .find(run.thread(), run.runId())
                .filter(state)
                .isPresent();
    }
}
