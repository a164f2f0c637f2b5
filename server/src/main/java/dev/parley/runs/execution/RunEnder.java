package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.RunStart;
import dev.parley.runs.guard.SharedState;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunLines;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends runs for whoever is not their agent: a caller who cancels, a sweeper, a server that stops. The run is taken from
 * whoever holds it first, wherever that is: from then on nothing of it enters the log but what is decided here. Then what
 * it has said is read back, and its end is written in one transaction, with the messages that it came to.
 */
public final class RunEnder {
    private static final Logger LOG = LoggerFactory.getLogger(RunEnder.class);

    private static final int PAGE = 500;
    /** Every time somebody else was faster, the run has moved on; it cannot do so for ever. */
    private static final int TRIES = 20;

    private static final Duration MAX_PAUSE = Duration.ofMillis(50);

    private final RunStore store;
    private final Log log;
    private final LogReader reader;
    private final Clock clock;
    private final UUID node;
    private final BiFunction<Run, String, List<Actor>> mentions;
    private final Consumer<UUID> takenOver;
    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    /**
     * @param mentions who of a thread is named in a text
     * @param takenOver told of a run that was taken from whoever executes it, in case that is this node
     */
    public RunEnder(
            RunStore store,
            Log log,
            LogReader reader,
            Clock clock,
            UUID node,
            BiFunction<Run, String, List<Actor>> mentions,
            Consumer<UUID> takenOver) {
        this.store = store;
        this.log = log;
        this.reader = reader;
        this.clock = clock;
        this.node = node;
        this.mentions = mentions;
        this.takenOver = takenOver;
    }

    /** Ends a run; false if it was over already. When this returns, nothing of the run follows any more. */
    public boolean end(UUID task, Intention intention) {
        // One at a time on this node; else two would take the run from each other before either could end it.
        synchronized (locks[Math.floorMod(task.hashCode(), locks.length)]) {
            return endAlone(task, intention);
        }
    }

    private boolean endAlone(UUID task, Intention intention) {
        boolean begun = false;
        for (int i = 0; i < TRIES; i++) {
            Optional<Run> found = store.find(task);
            if (found.isEmpty() || !(found.get().state() instanceof RunState.Unfinished state)) {
                // What was begun here may have been carried out by a sweeper, which ends a run as it was meant to end.
                return begun;
            }
            Run run = found.get();
            if (intention == Intention.UNCLAIMED && !(state instanceof RunState.Queued)) {
                return false;
            }
            // Whoever began to end it meant it to end that way.
            Intention meant = run.ending() == null ? intention : Intention.of(run.ending());
            Optional<? extends RunState.Unfinished> held =
                    state instanceof RunState.Running running ? takeOver(run, running, meant) : Optional.of(state);
            begun |= held.isPresent() && state instanceof RunState.Running;
            if (held.isPresent() && finish(run, held.get(), meant)) {
                return true;
            }
            // Another node is ending it as well: one of them has to let the other finish.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE.toNanos()));
        }
        throw new ProblemException(Problem.OVERLOADED, "The run changes hands too quickly; try again.");
    }

    private boolean finish(Run run, RunState.Unfinished held, Intention intention) {
        RunLedger ledger = restored(run);
        if (ledger.guard().isOver()) {
            // Somebody else has ended it since it was looked at.
            return false;
        }
        List<AguiEvent> last = ledger.end(intention);
        List<String> lines = ledger.write(last, clock.millis());
        List<Change> before = new ArrayList<>(ledger.children(last));
        if (held instanceof RunState.Queued || intention == Intention.ROLLBACK) {
            before.add(new Change.Apply(new RunEffect.QuestionsReopened(run.taskId())));
        }
        return RunLedger.appendEnd(
                again -> {
                    List<Change> changes = new ArrayList<>(before);
                    changes.addAll(
                            intention == Intention.ROLLBACK
                                    ? ledger.rollback(lines, held)
                                    : ledger.ending(lines, held, text -> mentions.apply(run, text), again));
                    return changes;
                },
                changes -> carry(run, held, changes));
    }

    /**
     * Takes a run from its holder; empty if somebody else was faster.
     *
     * @param intention how it shall end; null if that is not known yet
     */
    Optional<RunState.Running> takeOver(Run run, RunState.Running from, @Nullable Intention intention) {
        UUID holder = UUID.randomUUID();
        RunState.Running mine = from.takeOver(run.driver() == Run.Driver.NODE ? node : null, holder);
        RunEffect.Moved move = new RunEffect.Moved(
                run.taskId(), run.thread(), mine, intention == null ? null : intention.wire(), null, null, null, 0);
        boolean done = carry(run, from, List.of(new Change.Apply(move)))
                // The answer to the first try may have been lost: then the run is ours nevertheless.
                || store.find(run.taskId())
                        .filter(now -> now.state() instanceof RunState.Running running
                                && running.holder().equals(holder))
                        .isPresent();
        if (done) {
            takenOver.accept(run.taskId());
        }
        return done ? Optional.of(mine) : Optional.empty();
    }

    public boolean carry(Run run, RunState.Unfinished held, List<Change> changes) {
        try {
            log.carry(
                    new Command(
                            UuidV7.next(),
                            run.thread(),
                            run.agent(),
                            new RunFence(run.taskId(), held.epoch()),
                            changes),
                    RunSettings.APPEND_TIMEOUT);
            return true;
        } catch (ProblemException refused) {
            if (refused.problem() == Problem.RUN_TAKEN_OVER) {
                return false;
            }
            throw refused;
        }
    }

    /** A run must come to an end even if what the log holds of it makes no sense. */
    private RunLedger restored(Run run) {
        List<AguiEvent> logged = logged(run);
        try {
            return restore(run, logged);
        } catch (IllegalArgumentException nonsense) {
            LOG.error("What run {} has said cannot be put together; it ends without it", run.name(), nonsense);
            return restore(run, logged.subList(0, 1));
        }
    }

    /** What is written when somebody takes a run up: its state, and, unless it began before, its first event. */
    public List<Change> beginning(Run run, RunState.Running running) {
        List<Change> changes = new ArrayList<>();
        changes.add(RunUpdate.of(run, running));
        changes.add(new Change.Apply(RunEffect.Moved.to(run, running)));
        if (run.firstPosition() == null) {
            changes.add(first(run.taskId(), run.agent(), run.runId(), started(run)));
        }
        return changes;
    }

    /** The first event of a run that begins with its start. */
    public Change firstOf(RunStart start) {
        String runId = start.input().runId();
        return first(start.task(), start.agent(), runId, started(start.thread(), runId, start.parent()));
    }

    private Change first(UUID task, Actor agent, String runId, AguiEvent started) {
        return new Change.Emit(task, agent, List.of(new RunLines(runId).write(started, clock.millis())));
    }

    /** The event with which a run begins. */
    public AguiEvent started(Run run) {
        return started(run.thread(), run.runId(), run.parent());
    }

    private AguiEvent started(ThreadId thread, String runId, @Nullable UUID parent) {
        return new RunEvent.Started(
                thread.toString(),
                runId,
                RunAgentInput.PROTOCOL_VERSION,
                parent == null ? null : store.find(parent).map(Run::runId).orElse(null),
                null,
                new Common(clock.millis(), null, null));
    }

    public RunLedger restore(Run run, List<AguiEvent> logged) {
        return RunLedger.restore(run, sharedState(run), store.supersession(run), logged);
    }

    SharedState sharedState(Run run) {
        return new SharedState(() -> store.state(run.thread()).map(RunStore.SharedState::json));
    }

    /** All events of a run that are in the log. */
    public List<AguiEvent> logged(Run run) {
        return stretches(run).stream()
                .flatMap(stretch -> stretch.lines().stream())
                .map(line -> RunLines.read(line.json()))
                .toList();
    }

    /** The same as they stand in the log. */
    public List<Event.Emitted> stretches(Run run) {
        List<Event.Emitted> all = new ArrayList<>();
        long after = run.createdPosition();
        List<Event.Emitted> page = reader.emittedAfter(run.thread(), run.taskId(), after, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            after = page.getLast().position();
            page = page.size() < PAGE ? List.of() : reader.emittedAfter(run.thread(), run.taskId(), after, PAGE);
        }
        return all;
    }
}
