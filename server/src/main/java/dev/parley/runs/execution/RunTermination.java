package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends runs for callers other than their agent: a caller who cancels, the sweep, a server that stops. This class first
 * takes the run from its holder, on any node. From then on, only this class writes the run's events. It then reads the
 * events back, and writes the terminal event in one transaction with the run's messages.
 */
public final class RunTermination {
    /**
     * The maximum number of attempts to end a run. An attempt fails if another node was faster. The run's state has
     * then advanced, and a run's state advances only a limited number of times.
     */
    private static final int TRIES = 20;

    private static final Duration MAX_PAUSE = Duration.ofMillis(50);

    private final RunStore store;
    private final RunJournal journal;
    private final UUID node;
    private final Consumer<UUID> takenOver;
    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    /** @param takenOver called with each run that was taken from its holder; the holder may be this node */
    public RunTermination(RunStore store, RunJournal journal, UUID node, Consumer<UUID> takenOver) {
        this.store = store;
        this.journal = journal;
        this.node = node;
        this.takenOver = takenOver;
    }

    /** Ends a run; false if it was over already. When this returns, no further event of the run follows. */
    public boolean end(UUID task, Intention intention) {
        // On this node, only one thread at a time ends a run. Otherwise two threads would take the run from each other,
        // and neither would end it.
        synchronized (locks[Math.floorMod(task.hashCode(), locks.length)]) {
            return endLocked(task, intention);
        }
    }

    private boolean endLocked(UUID task, Intention intention) {
        boolean taken = false;
        for (int i = 0; i < TRIES; i++) {
            Optional<Run> current = store.find(task);
            if (current.isEmpty() || !(current.get().state() instanceof RunState.Unfinished state)) {
                // If this call has taken over the run, a sweep may have ended it since, with the stored intention.
                return taken;
            }
            Run run = current.get();
            if (intention == Intention.UNCLAIMED && !(state instanceof RunState.Queued)) {
                return false;
            }
            // The first intention to end the run counts.
            Intention stored = run.ending() == null ? intention : Intention.of(run.ending());
            Optional<? extends RunState.Unfinished> held =
                    state instanceof RunState.Running running ? takeOver(run, running, stored) : Optional.of(state);
            taken |= held.isPresent() && state instanceof RunState.Running;
            if (held.isPresent() && finish(run, held.get(), stored)) {
                return true;
            }
            // Another node is ending the run as well. A random pause lets one of the nodes finish.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE.toNanos()));
        }
        throw new ProblemException(Problem.OVERLOADED, "The run changes its holder too often; try again.");
    }

    private boolean finish(Run run, RunState.Unfinished held, Intention intention) {
        RunLedger ledger = journal.restoreForEnd(run);
        if (ledger.guard().isOver()) {
            // Another node has ended the run since the run was read.
            return false;
        }
        List<AguiEvent> last = ledger.end(intention);
        List<String> lines = journal.write(ledger, last);
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
                                    : ledger.ending(lines, held, again));
                    return changes;
                },
                changes -> journal.carry(run, held, changes));
    }

    /**
     * Takes a run from its holder; empty if another node was faster.
     *
     * @param intention the reason for the takeover; null if it is not known yet
     */
    Optional<RunState.Running> takeOver(Run run, RunState.Running from, @Nullable Intention intention) {
        UUID holder = UUID.randomUUID();
        RunState.Running mine = from.takeOver(run.driver() == Run.Driver.NODE ? node : null, holder);
        boolean done =
                journal.carry(run, from, List.of(new Change.Apply(RunEffect.Moved.toHolder(run, mine, intention))))
                        // The command may have succeeded although its answer was lost. This node then holds the run.
                        || store.find(run.taskId())
                                .filter(now -> now.state() instanceof RunState.Running running
                                        && running.holder().equals(holder))
                                .isPresent();
        if (done) {
            takenOver.accept(run.taskId());
        }
        return done ? Optional.of(mine) : Optional.empty();
    }
}
