package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.EntryKind;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.runs.execution.SimulatedNodes.Node;
import dev.parley.runs.execution.SimulatedNodes.Step;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One random history of runs: nodes claim, write, crash, lose their leases and write on; external drivers post everything
 * twice; callers cancel; sweepers sweep.
 */
final class SimulatedLives {
    private static final int STEPS = 60;
    private static final int MAX_ROUNDS = 100;
    private static final int MAX_STEPS = 10_000;
    private static final int TRIES = 20;
    private static final Actor FIRST = Actor.agent(new UUID(7, 2));
    private static final Actor SECOND = Actor.agent(new UUID(7, 3));

    private static final List<Intention> ENDS =
            List.of(Intention.CANCEL, Intention.ROLLBACK, Intention.TIME_OUT, Intention.INTERRUPT);

    private final Random random;
    private final SimulatedRuns runs;
    private final SimulatedNodes nodes;

    SimulatedLives(long seed, Function<RunRule.Facts, Rule.Judge> rule) {
        // Neighbouring seeds must not give neighbouring histories.
        this.random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        this.runs = new SimulatedRuns(seed, rule, List.of(FIRST, SECOND));
        this.nodes = new SimulatedNodes(random, runs);
    }

    void live() {
        for (int i = 0; i < STEPS; i++) {
            happen();
        }
        // From here nothing breaks, and every run has to end.
        nodes.calmDown();
        for (int round = 0; round < MAX_ROUNDS && !isQuiet(); round++) {
            sweep(nodes.any());
            claim(nodes.any());
            for (int i = 0; i < MAX_STEPS && !nodes.isIdle(); i++) {
                nodes.step();
            }
        }
        runs.checkEnds();
    }

    private boolean isQuiet() {
        return nodes.isIdle() && runs.rows().stream().allMatch(Run::isOver);
    }

    private void happen() {
        switch (random.nextInt(24)) {
            case 0, 1 -> request();
            case 2 -> beginDriver();
            case 3, 4, 5 -> claim(nodes.any());
            case 6 -> endAnyRun();
            case 7, 8 -> sweep(nodes.any());
            case 9 -> {
                Node node = nodes.any();
                node.seemsAlive = !node.seemsAlive;
            }
            case 10 -> {
                if (random.nextInt(3) == 0) {
                    nodes.crash();
                }
            }
            case 11 -> {
                if (random.nextInt(20) == 0) {
                    runs.remove(SECOND);
                }
            }
            default -> nodes.step();
        }
    }

    private void beginDriver() {
        nodes.begin(nodes.any(), null, new SimulatedDriver(nodes, runs, FIRST)::open);
    }

    private void endAnyRun() {
        List<Run> all = runs.rows();
        if (!all.isEmpty()) {
            Run run = nodes.pick(all);
            nodes.begin(nodes.any(), null, () -> end(run.taskId(), nodes.pick(ENDS), TRIES));
        }
    }

    /** A caller starts a run. */
    private void request() {
        UUID task = nodes.uuid();
        String name = "run " + task.getLeastSignificantBits();
        MultitaskStrategy strategy = random.nextInt(4) == 0 ? MultitaskStrategy.REJECT : MultitaskStrategy.ENQUEUE;
        Actor agent = random.nextBoolean() ? FIRST : SECOND;
        RunBirth birth = RunBirth.of(SimulatedNodes.run(task, name, agent).askedFor(strategy));
        Step queued = () -> {
            nodes.start(birth.queued(List.of()));
            return null;
        };
        Node node = nodes.any();
        if (random.nextInt(3) == 0) {
            nodes.begin(node, null, () -> regenerate(task, name, agent));
        } else if (random.nextBoolean()) {
            nodes.begin(node, null, queued);
        } else {
            node.held.add(task);
            nodes.begin(node, task, () -> startAtOnce(node, birth, claimedBy(node), queued));
        }
    }

    /** A caller asks for a new answer to the question. */
    private @Nullable Step regenerate(UUID task, String name, Actor agent) {
        nodes.start(RunBirth.of(SimulatedNodes.run(task, name, agent))
                .answeringAnew(SimulatedRuns.QUESTION)
                .queued(List.of(new Change.Append(
                        RunEntries.revision(EntryKind.SUPERSESSION, SimulatedRuns.QUESTION, SimulatedRuns.CALLER)))));
        return null;
    }

    private RunState.Running claimedBy(Node node) {
        return RunState.Queued.FIRST.claim(node.id, nodes.uuid());
    }

    /** A node opens a run as running; a run that is refused for another one is queued. */
    private @Nullable Step startAtOnce(Node node, RunBirth birth, RunState.Running running, Step queued) {
        UUID task = birth.run().taskId();
        RunEvent.Started started = SimulatedNodes.started(birth.run());
        Optional<Problem> refusal = nodes.start(birth.running(running, started, List.of()));
        if (refusal.isPresent()) {
            node.held.remove(task);
            return refusal.get() == Problem.RUN_ACTIVE || refusal.get() == Problem.FORBIDDEN ? queued : null;
        }
        return () -> {
            Run run = runs.row(task);
            return run.state().equals(running) ? write(run, running, nodes.restore(run, List.of(started))) : null;
        };
    }

    /** A node looks for a queued run; another node may claim it first. */
    private void claim(Node node) {
        List<Run> queued = runs.rows().stream()
                .filter(run -> run.state() instanceof RunState.Queued && !node.held.contains(run.taskId()))
                .toList();
        if (!queued.isEmpty()) {
            Run run = nodes.pick(queued);
            node.held.add(run.taskId());
            nodes.begin(node, run.taskId(), () -> claim(node, run));
        }
    }

    private @Nullable Step claim(Node node, Run run) {
        RunState.Queued queued = (RunState.Queued) run.state();
        RunState.Running running = queued.claim(node.id, nodes.uuid());
        RunEvent.Started started = SimulatedNodes.started(run.identity());
        Optional<Problem> refusal = nodes.carry(run, queued, RunBirth.takenUp(run, running, () -> started));
        if (refusal.filter(Problem.FORBIDDEN::equals).isPresent()) {
            return () -> end(run.taskId(), Intention.EXPEL, TRIES);
        }
        return refusal.isPresent()
                ? null
                : () -> {
                    RunLedger ledger = nodes.restore(
                            run, run.positions().first() == null ? List.of(started) : runs.logged(run.taskId()));
                    return ledger.guard().isOver() ? null : () -> write(run, running, ledger);
                };
    }

    /** An agent writes a few words, or ends its answer. */
    private @Nullable Step write(Run run, RunState.Running state, RunLedger ledger) {
        if (random.nextInt(4) == 0) {
            List<AguiEvent> last =
                    ledger.guard().accept(new RunEvent.Finished(SimulatedRuns.THREAD.toString(), run.runId()));
            List<String> lines = ledger.write(last, 0);
            RunLedger.appendEnd(
                    again -> ledger.ending(lines, state, again), changes -> nodes.carry(run, state, changes));
            return null;
        }
        List<AguiEvent> events = new ArrayList<>();
        String message = "m" + random.nextInt(2);
        if (!isOpen(ledger, message)) {
            events.addAll(ledger.guard().accept(new TextEvent.Start(message)));
        }
        events.addAll(ledger.guard().accept(new TextEvent.Content(message, "w" + nodes.nextId() + " ")));
        boolean written = nodes.carry(
                        run, state, List.of(new Change.Emit(run.taskId(), run.agent(), ledger.write(events, 0))))
                .isEmpty();
        return written ? () -> write(run, state, ledger) : null;
    }

    private static boolean isOpen(RunLedger ledger, String message) {
        return ledger.guard().transcript().items().stream()
                .anyMatch(item -> item.id().equals(message) && item.marks().state() == Transcript.State.OPEN);
    }

    /** Ends a run in the name of a caller or a node, not of its agent. */
    private @Nullable Step end(UUID task, Intention intention, int tries) {
        Run run = runs.row(task);
        if (!(run.state() instanceof RunState.Unfinished state) || tries == 0) {
            return null;
        }
        Intention effective = run.ending() == null ? intention : Intention.of(run.ending());
        return state instanceof RunState.Running running
                ? () -> takeOver(run, running, effective)
                        .<Step>map(mine -> () -> endHeld(run, mine, effective, intention, tries))
                        .orElse(() -> end(task, intention, tries - 1))
                : () -> endHeld(run, state, effective, intention, tries);
    }

    private Optional<RunState.Running> takeOver(Run run, RunState.Running from, @Nullable Intention intention) {
        UUID holder = nodes.uuid();
        RunState.Running mine = from.takeOver(run.driver() == Run.Driver.NODE ? nodes.any().id : null, holder);
        RunEffect.Moved move = RunEffect.Moved.toHolder(run, mine, intention);
        boolean done = nodes.carry(run, from, List.of(new Change.Apply(move))).isEmpty()
                || runs.row(run.taskId()).state() instanceof RunState.Running now
                        && now.holder().equals(holder);
        return done ? Optional.of(mine) : Optional.empty();
    }

    private @Nullable Step endHeld(
            Run run, RunState.Unfinished held, Intention effective, Intention intention, int tries) {
        RunLedger ledger = nodes.restore(run, runs.logged(run.taskId()));
        if (ledger.guard().isOver()) {
            return () -> end(run.taskId(), intention, tries - 1);
        }
        List<String> lines = ledger.write(ledger.end(effective), 0);
        Function<Boolean, List<Change>> ending = again ->
                effective == Intention.ROLLBACK ? ledger.rollback(lines, held) : ledger.ending(lines, held, again);
        List<Change> first = ending.apply(false);
        // A step between reading and writing: no event of the run may enter the log in between.
        return () -> {
            if (RunLedger.appendEnd(
                            again -> again ? ending.apply(true) : first, changes -> nodes.carry(run, held, changes))
                    .isPresent()) {
                return () -> end(run.taskId(), intention, tries - 1);
            }
            runs.require(runs.row(run.taskId()).isOver(), "an end was acknowledged, and the run goes on");
            return null;
        };
    }

    private void sweep(Node node) {
        for (Run run : runs.rows()) {
            if (run.state() instanceof RunState.Running running) {
                boolean abandoned = run.driver() == Run.Driver.NODE
                        && (!nodes.seemsAlive(running.node())
                                || node.id.equals(running.node()) && !node.held.contains(run.taskId()));
                boolean silent = run.driver() == Run.Driver.EXTERNAL && (nodes.isCalm() || random.nextInt(10) == 0);
                if (abandoned) {
                    nodes.begin(node, null, () -> rescue(run, running));
                } else if (silent) {
                    nodes.begin(node, null, () -> end(run.taskId(), Intention.SILENCE, TRIES));
                }
            } else if (nodes.isCalm() && run.state() instanceof RunState.Waiting) {
                // No time limit ends a waiting run, so a caller cancels it.
                nodes.begin(node, null, () -> end(run.taskId(), Intention.CANCEL, TRIES));
            }
        }
    }

    private @Nullable Step rescue(Run run, RunState.Running running) {
        Optional<RunState.Running> taken = takeOver(run, running, null);
        if (taken.isEmpty()) {
            return null;
        }
        return () -> {
            if (run.ending() != null || RunLedger.isVisible(runs.logged(run.taskId()))) {
                return () -> end(run.taskId(), Intention.INTERRUPT, TRIES);
            }
            if (running.attempts() >= RunSettings.ATTEMPTS) {
                return () -> end(run.taskId(), Intention.GIVE_UP, TRIES);
            }
            RunState.Queued again = taken.get().requeue();
            return () -> {
                nodes.carry(
                        run,
                        taken.get(),
                        List.of(RunUpdate.of(run, again), new Change.Apply(RunEffect.Moved.to(run, again))));
                return null;
            };
        };
    }
}
