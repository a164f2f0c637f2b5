package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.EntryKind;
import dev.parley.log.Rule;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.runs.guard.SharedState;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One random history of runs: nodes that claim, write, crash, fall asleep and wake up as zombies; drivers outside that
 * post everything twice; people who cancel; sweepers. Whatever goes on is cut into steps, a read or a command each, and
 * the steps of all take place in any order.
 */
final class SimulatedLives {
    private static final int STEPS = 60;
    private static final int MAX_ROUNDS = 100;
    private static final int MAX_STEPS = 10_000;
    private static final int TRIES = 20;
    private static final Actor FIRST = Actor.agent(new UUID(7, 2));
    private static final Actor SECOND = Actor.agent(new UUID(7, 3));

    private final Random random;
    private final SimulatedRuns runs;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Doing> doings = new ArrayList<>();
    private boolean calm;
    private long ids;

    SimulatedLives(long seed, Function<RunRule.Facts, Rule.Judge> rule) {
        // Neighbouring seeds must not give neighbouring histories.
        this.random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        this.runs = new SimulatedRuns(seed, rule, List.of(FIRST, SECOND));
        nodes.add(new Node(uuid()));
        nodes.add(new Node(uuid()));
    }

    /** A node, while others may think it dead or not. */
    private static final class Node {
        private final UUID id;
        private final Set<UUID> held = new HashSet<>();
        private boolean thoughtAlive = true;

        Node(UUID id) {
            this.id = id;
        }
    }

    /** What is done next; null when there is nothing more to do. */
    private interface Step {
        @Nullable
        Step take();
    }

    /** Something that goes on step by step, on a node. */
    private static final class Doing {
        private final Node on;
        private final @Nullable UUID holding;
        private @Nullable Step next;

        Doing(Node on, @Nullable UUID holding, Step first) {
            this.on = on;
            this.holding = holding;
            this.next = first;
        }
    }

    void live() {
        for (int i = 0; i < STEPS; i++) {
            happen();
        }
        // Then nothing breaks any more, and everything has to come to its end.
        calm = true;
        nodes.forEach(node -> node.thoughtAlive = true);
        for (int round = 0; round < MAX_ROUNDS && !isQuiet(); round++) {
            sweep(pick(nodes));
            claim(pick(nodes));
            for (int i = 0; i < MAX_STEPS && !doings.isEmpty(); i++) {
                goOn();
            }
        }
        runs.checkEnds();
    }

    private boolean isQuiet() {
        return doings.isEmpty() && runs.rows().stream().allMatch(Run::isOver);
    }

    private void happen() {
        switch (random.nextInt(24)) {
            case 0, 1 -> ask();
            case 2 -> begin(pick(nodes), null, new Outside(uuid(), pick(nodes))::open);
            case 3, 4, 5 -> claim(pick(nodes));
            case 6 -> someRun(run -> begin(pick(nodes), null, () -> end(run.taskId(), pick(ENDS), TRIES)));
            case 7, 8 -> sweep(pick(nodes));
            case 9 -> {
                Node node = pick(nodes);
                node.thoughtAlive = !node.thoughtAlive;
            }
            case 10 -> {
                if (random.nextInt(3) == 0) {
                    crash(random.nextInt(nodes.size()));
                }
            }
            case 11 -> {
                if (random.nextInt(20) == 0) {
                    runs.remove(SECOND);
                }
            }
            default -> goOn();
        }
    }

    private static final List<Intention> ENDS =
            List.of(Intention.CANCEL, Intention.ROLLBACK, Intention.TIME_OUT, Intention.INTERRUPT);

    private void someRun(Consumer<Run> use) {
        List<Run> all = runs.rows();
        if (!all.isEmpty()) {
            use.accept(pick(all));
        }
    }

    private void begin(Node node, @Nullable UUID holding, Step first) {
        doings.add(new Doing(node, holding, first));
    }

    /** One step of whatever goes on. */
    private void goOn() {
        if (doings.isEmpty()) {
            return;
        }
        Doing doing = pick(doings);
        Step step = doing.next;
        doing.next = step == null ? null : attempt(step);
        if (doing.next == null) {
            doings.remove(doing);
            if (doing.holding != null) {
                doing.on.held.remove(doing.holding);
            }
        }
    }

    private @Nullable Step attempt(Step step) {
        try {
            return step.take();
        } catch (LostPatience lost) {
            return null;
        }
    }

    /** The log gave no answer in time: whoever waited for it gives up, and does not know what became of it. */
    private static final class LostPatience extends RuntimeException {
        LostPatience() {
            super(null, null, false, false);
        }
    }

    /** What the process did is gone, and so is its name; what it committed stays. */
    private void crash(int number) {
        Node dead = nodes.set(number, new Node(uuid()));
        doings.removeIf(doing -> doing.on == dead);
    }

    /** A command through the log, whose connection may break at any moment. */
    private Optional<Problem> carry(Run run, RunState.Unfinished held, List<Change> changes) {
        return send(new Command(
                uuid(), SimulatedRuns.THREAD, run.agent(), new RunFence(run.taskId(), held.epoch()), changes));
    }

    private Optional<Problem> send(Command command) {
        int fate = calm ? 9 : random.nextInt(10);
        if (fate == 0) {
            throw new LostPatience();
        }
        Optional<Problem> first = runs.commit(command);
        if (fate == 1) {
            throw new LostPatience();
        }
        // The lane did not hear of its commit, looks for what it left, and tries again if that is nothing.
        return fate == 2 && !runs.holds(command) ? runs.commit(command) : first;
    }

    /** Somebody starts a run. */
    private void ask() {
        UUID task = uuid();
        String name = "run " + task.getLeastSignificantBits();
        MultitaskStrategy strategy = random.nextInt(4) == 0 ? MultitaskStrategy.REJECT : MultitaskStrategy.ENQUEUE;
        Actor agent = random.nextBoolean() ? FIRST : SECOND;
        RunBirth birth = RunBirth.of(run(task, name, agent).askedFor(strategy));
        Step queued = () -> {
            start(birth.queued(List.of()));
            return null;
        };
        Node node = pick(nodes);
        if (random.nextInt(3) == 0) {
            begin(node, null, () -> askAgain(task, name, agent));
        } else if (random.nextBoolean()) {
            begin(node, null, queued);
        } else {
            node.held.add(task);
            begin(node, task, () -> startAtOnce(node, birth, claimedBy(node), queued));
        }
    }

    /** Somebody wants the question answered anew. */
    private @Nullable Step askAgain(UUID task, String name, Actor agent) {
        start(RunBirth.of(run(task, name, agent))
                .answeringAnew(SimulatedRuns.QUESTION)
                .queued(List.of(new Change.Append(
                        RunEntries.revision(EntryKind.SUPERSESSION, SimulatedRuns.QUESTION, SimulatedRuns.CALLER)))));
        return null;
    }

    private RunState.Running claimedBy(Node node) {
        return RunState.Queued.FIRST.claim(node.id, uuid());
    }

    /** A node begins a run with its start; if something is in the way it is queued. */
    private @Nullable Step startAtOnce(Node node, RunBirth birth, RunState.Running running, Step queued) {
        UUID task = birth.run().taskId();
        RunEvent.Started started = started(birth.run());
        Optional<Problem> refusal = start(birth.running(running, started, List.of()));
        if (refusal.isPresent()) {
            node.held.remove(task);
            return refusal.get() == Problem.RUN_ACTIVE || refusal.get() == Problem.FORBIDDEN ? queued : null;
        }
        return () -> {
            Run run = runs.row(task);
            return run.state().equals(running) ? write(run, running, restore(run, List.of(started))) : null;
        };
    }

    private Optional<Problem> start(List<Change> changes) {
        return send(new Command(uuid(), SimulatedRuns.THREAD, SimulatedRuns.CALLER, changes));
    }

    private static RunIdentity run(UUID task, String name, Actor agent) {
        return RunIdentity.of(task, SimulatedRuns.THREAD, name, agent, SimulatedRuns.CALLER)
                .askedFor(MultitaskStrategy.ENQUEUE);
    }

    private static RunEvent.Started started(RunIdentity run) {
        return new RunEvent.Started(SimulatedRuns.THREAD.toString(), run.runId());
    }

    /** A node looks for work; what it finds may be another's by the time it asks for it. */
    private void claim(Node node) {
        List<Run> queued = runs.rows().stream()
                .filter(run -> run.state() instanceof RunState.Queued && !node.held.contains(run.taskId()))
                .toList();
        if (!queued.isEmpty()) {
            Run run = pick(queued);
            node.held.add(run.taskId());
            begin(node, run.taskId(), () -> claim(node, run));
        }
    }

    private @Nullable Step claim(Node node, Run run) {
        RunState.Queued queued = (RunState.Queued) run.state();
        RunState.Running running = queued.claim(node.id, uuid());
        RunEvent.Started started = started(run.identity());
        Optional<Problem> refusal = carry(run, queued, RunBirth.takenUp(run, running, () -> started));
        if (refusal.filter(Problem.FORBIDDEN::equals).isPresent()) {
            return () -> end(run.taskId(), Intention.EXPEL, TRIES);
        }
        return refusal.isPresent()
                ? null
                : () -> {
                    RunLedger ledger = restore(
                            run, run.positions().first() == null ? List.of(started) : runs.logged(run.taskId()));
                    return ledger.guard().isOver() ? null : () -> write(run, running, ledger);
                };
    }

    private RunLedger restore(Run run, List<AguiEvent> logged) {
        return RunLedger.restore(
                run,
                logged,
                new SharedState(Optional::empty),
                runs.supersession(run.taskId()),
                text -> List.of(),
                Integer.MAX_VALUE);
    }

    /** An agent says a few words, or has said all. */
    private @Nullable Step write(Run run, RunState.Running state, RunLedger ledger) {
        if (random.nextInt(4) == 0) {
            List<AguiEvent> last =
                    ledger.guard().accept(new RunEvent.Finished(SimulatedRuns.THREAD.toString(), run.runId()));
            List<String> lines = ledger.write(last, 0);
            RunLedger.appendEnd(again -> ledger.ending(lines, state, again), changes -> carry(run, state, changes));
            return null;
        }
        List<AguiEvent> said = new ArrayList<>();
        String message = "m" + random.nextInt(2);
        if (!isOpen(ledger, message)) {
            said.addAll(ledger.guard().accept(new TextEvent.Start(message)));
        }
        said.addAll(ledger.guard().accept(new TextEvent.Content(message, "w" + ids++ + " ")));
        boolean written = carry(run, state, List.of(new Change.Emit(run.taskId(), run.agent(), ledger.write(said, 0))))
                .isEmpty();
        return written ? () -> write(run, state, ledger) : null;
    }

    private static boolean isOpen(RunLedger ledger, String message) {
        return ledger.guard().transcript().items().stream()
                .anyMatch(item -> item.id().equals(message) && item.marks().state() == Transcript.State.OPEN);
    }

    /** Ends a run as whoever is not its agent does. */
    private @Nullable Step end(UUID task, Intention intention, int tries) {
        Run run = runs.row(task);
        if (!(run.state() instanceof RunState.Unfinished state) || tries == 0) {
            return null;
        }
        Intention meant = run.ending() == null ? intention : Intention.of(run.ending());
        return state instanceof RunState.Running running
                ? () -> takeOver(run, running, meant)
                        .<Step>map(mine -> () -> endHeld(run, mine, meant, intention, tries))
                        .orElse(() -> end(task, intention, tries - 1))
                : () -> endHeld(run, state, meant, intention, tries);
    }

    private Optional<RunState.Running> takeOver(Run run, RunState.Running from, @Nullable Intention intention) {
        UUID holder = uuid();
        RunState.Running mine = from.takeOver(run.driver() == Run.Driver.NODE ? pick(nodes).id : null, holder);
        RunEffect.Moved move = RunEffect.Moved.toHolder(run, mine, intention);
        boolean done = carry(run, from, List.of(new Change.Apply(move))).isEmpty()
                || runs.row(run.taskId()).state() instanceof RunState.Running now
                        && now.holder().equals(holder);
        return done ? Optional.of(mine) : Optional.empty();
    }

    private @Nullable Step endHeld(Run run, RunState.Unfinished held, Intention meant, Intention intention, int tries) {
        RunLedger ledger = restore(run, runs.logged(run.taskId()));
        if (ledger.guard().isOver()) {
            return () -> end(run.taskId(), intention, tries - 1);
        }
        List<String> lines = ledger.write(ledger.end(meant), 0);
        Function<Boolean, List<Change>> ending =
                again -> meant == Intention.ROLLBACK ? ledger.rollback(lines, held) : ledger.ending(lines, held, again);
        List<Change> first = ending.apply(false);
        // A pause between reading and writing: nothing of the run may come in between.
        return () -> {
            if (RunLedger.appendEnd(again -> again ? ending.apply(true) : first, changes -> carry(run, held, changes))
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
                        && (nodes.stream().noneMatch(each -> each.id.equals(running.node()) && each.thoughtAlive)
                                || node.id.equals(running.node()) && !node.held.contains(run.taskId()));
                boolean silent = run.driver() == Run.Driver.EXTERNAL && (calm || random.nextInt(10) == 0);
                if (abandoned) {
                    begin(node, null, () -> rescue(run, running));
                } else if (silent) {
                    begin(node, null, () -> end(run.taskId(), Intention.SILENCE, TRIES));
                }
            } else if (calm && run.state() instanceof RunState.Waiting) {
                // Nobody judges how long it waits; whoever waits for it gives up some day.
                begin(node, null, () -> end(run.taskId(), Intention.CANCEL, TRIES));
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
                carry(
                        run,
                        taken.get(),
                        List.of(RunUpdate.of(run, again), new Change.Apply(RunEffect.Moved.to(run, again))));
                return null;
            };
        };
    }

    /** A driver outside, whose every post also comes by another node, in its own time; every other one pauses once. */
    private final class Outside {
        /** The number of the event that pauses the run. */
        private static final long PAUSE = 2;

        private final boolean pauses = random.nextBoolean();
        private final UUID task;
        private final Node other;
        private final String name;

        Outside(UUID task, Node other) {
            this.task = task;
            this.other = other;
            this.name = "run " + task.getLeastSignificantBits();
        }

        @Nullable
        Step open() {
            RunState.Running state = RunState.Queued.FIRST.claim(null, uuid());
            RunIdentity run = run(task, name, FIRST).drivenBy(Run.Driver.EXTERNAL);
            Optional<Problem> refusal = start(RunBirth.of(run).running(state, started(run), List.of()));
            return refusal.isPresent() ? null : () -> post(0);
        }

        private @Nullable Step post(long number) {
            begin(other, null, () -> feed(number));
            return () -> {
                Step append = feed(number);
                return append == null
                        ? null
                        : () -> {
                            append.take();
                            return runs.row(task).nextEvent() > number ? () -> post(number + 1) : () -> post(number);
                        };
            };
        }

        private @Nullable Step feed(long number) {
            Run run = runs.row(task);
            if (!(run.state() instanceof RunState.Unfinished from) || from instanceof RunState.Queued) {
                return null;
            }
            if (run.nextEvent() != number) {
                return run.nextEvent() > number ? () -> null : null;
            }
            RunState.Running state =
                    from instanceof RunState.Waiting waiting ? waiting.resume(uuid()) : (RunState.Running) from;
            if (state.epoch() != (pauses && number > PAUSE ? 3 : 1)) {
                return null;
            }
            RunLedger ledger = restore(run, runs.logged(task));
            if (ledger.guard().isOver()) {
                return null;
            }
            List<AguiEvent> entering = new ArrayList<>();
            if (number == 0) {
                entering.addAll(ledger.guard().accept(new TextEvent.Start("m")));
            } else if (number < 4) {
                entering.addAll(ledger.guard().accept(new TextEvent.Content("m", number + " ")));
            } else {
                entering.addAll(ledger.guard().accept(new RunEvent.Finished(SimulatedRuns.THREAD.toString(), name)));
            }
            List<String> lines = ledger.write(entering, 0);
            List<Change> changes = new ArrayList<>();
            if (from instanceof RunState.Waiting) {
                changes.add(RunUpdate.of(run, state));
                changes.add(new Change.Apply(RunEffect.Moved.to(run, state)));
            }
            changes.add(new Change.Apply(new RunEffect.Fed(task, number, number + 1)));
            boolean over = ledger.guard().isOver();
            if (!over) {
                changes.add(new Change.Emit(task, FIRST, lines));
            }
            if (pauses && number == PAUSE) {
                changes.add(new Change.Apply(RunEffect.Moved.to(run, state.pause())));
            }
            return () -> {
                RunLedger.appendEnd(
                        again -> {
                            List<Change> all = new ArrayList<>(changes);
                            if (over) {
                                all.addAll(ledger.ending(lines, state, again));
                            }
                            return all;
                        },
                        all -> carry(run, from, all));
                return null;
            };
        }
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), ids++);
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
