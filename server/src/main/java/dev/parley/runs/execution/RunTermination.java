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
 * Ends runs for callers other than their agent: a caller who cancels, the sweep, a server that stops. The run is taken
 * from its holder first, on whatever node that is: from then on nothing of it enters the log but what is decided here.
 * Then its events are read back, and its end is written in one transaction, with the messages that it came to.
 */
public final class RunTermination {
    /** Whenever another node was faster, the run has moved on; it cannot do so for ever. */
    private static final int TRIES = 20;

    private static final Duration MAX_PAUSE = Duration.ofMillis(50);

    private final RunStore store;
    private final RunJournal journal;
    private final UUID node;
    private final Consumer<UUID> takenOver;
    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    /** @param takenOver told of a run that was taken from its holder, in case that is this node */
    public RunTermination(RunStore store, RunJournal journal, UUID node, Consumer<UUID> takenOver) {
        this.store = store;
        this.journal = journal;
        this.node = node;
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
        boolean taken = false;
        for (int i = 0; i < TRIES; i++) {
            Optional<Run> found = store.find(task);
            if (found.isEmpty() || !(found.get().state() instanceof RunState.Unfinished state)) {
                // What was taken here may have been ended by a sweep, which ends a run as it was meant to end.
                return taken;
            }
            Run run = found.get();
            if (intention == Intention.UNCLAIMED && !(state instanceof RunState.Queued)) {
                return false;
            }
            // The first intention to end it stands.
            Intention meant = run.ending() == null ? intention : Intention.of(run.ending());
            Optional<? extends RunState.Unfinished> held =
                    state instanceof RunState.Running running ? takeOver(run, running, meant) : Optional.of(state);
            taken |= held.isPresent() && state instanceof RunState.Running;
            if (held.isPresent() && finish(run, held.get(), meant)) {
                return true;
            }
            // Another node is ending it as well: one of them has to let the other finish.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE.toNanos()));
        }
        throw new ProblemException(Problem.OVERLOADED, "The run changes hands too quickly; try again.");
    }

    private boolean finish(Run run, RunState.Unfinished held, Intention intention) {
        RunLedger ledger = journal.restoreForEnd(run);
        if (ledger.guard().isOver()) {
            // Another node has ended it since it was looked at.
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
     * @param intention how it shall end; null if that is not known yet
     */
    Optional<RunState.Running> takeOver(Run run, RunState.Running from, @Nullable Intention intention) {
        UUID holder = UUID.randomUUID();
        RunState.Running mine = from.takeOver(run.driver() == Run.Driver.NODE ? node : null, holder);
        boolean done =
                journal.carry(run, from, List.of(new Change.Apply(RunEffect.Moved.toHolder(run, mine, intention))))
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
}
