package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.Compaction;
import dev.parley.nodes.Nodes;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps runs from being stuck: renews this node's lease, ends or restarts the runs of dead nodes, silent drivers and
 * broken agents, and compacts the events of finished runs. The keeper acts on runs of other nodes and drivers only if
 * this node has kept its own lease without a break for a whole lease period. Otherwise, a pause of the database would
 * make all nodes look dead.
 */
public final class RunKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunKeeper.class);
    private static final Duration SWEEP = Duration.ofSeconds(1);
    private static final int MAX_COMPACTED_AT_ONCE = 500;

    private final RunLeases leases;
    private final FinishedRuns finished;
    private final Compaction compaction;
    private final RunEngine engine;
    private final RunJournal journal;
    private final RunTermination termination;
    private final RunSettings settings;
    private final AtomicBoolean checkQueued = new AtomicBoolean();
    private final Nodes nodes;
    private final ScheduledExecutorService worker = Executors.newScheduledThreadPool(
            4, Thread.ofPlatform().name("parley-run-keeper").daemon().factory());
    private volatile long aliveSince;
    private volatile long lastBeat;

    public RunKeeper(
            Database database,
            RunLeases leases,
            RunEngine engine,
            RunJournal journal,
            RunTermination termination,
            RunSettings settings,
            Nodes nodes) {
        this.leases = leases;
        this.finished = new FinishedRuns(database);
        this.compaction = new Compaction(database);
        this.engine = engine;
        this.journal = journal;
        this.termination = termination;
        this.settings = settings;
        this.nodes = nodes;
        beat();
        every(RunSettings.HEARTBEAT, this::beat);
        every(SWEEP, this::sweep);
        every(SWEEP, this::stopLost);
        every(SWEEP, this::compact);
    }

    private void every(Duration interval, Runnable work) {
        worker.scheduleWithFixedDelay(
                () -> guarded(work), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not maintain runs; retrying on the next pass: {}", unavailable.toString());
        }
    }

    private void beat() {
        long now = System.nanoTime();
        boolean late = now - lastBeat > RunSettings.LEASE.toNanos();
        boolean known = nodes.beat();
        if (late || !known) {
            aliveSince = System.nanoTime();
        }
        lastBeat = System.nanoTime();
    }

    private boolean mayJudge() {
        long now = System.nanoTime();
        return now - lastBeat < RunSettings.LEASE.toNanos() && now - aliveSince > RunSettings.LEASE.toNanos();
    }

    private void sweep() {
        engine.overdue().forEach(task -> attempt(task, () -> termination.end(task, Intention.TIME_OUT)));
        leases.toBeEnded().forEach(run -> attempt(run.taskId(), () -> termination.end(run.taskId(), Intention.CANCEL)));
        leases.overdueExternal(settings.longest())
                .forEach(run -> attempt(run.taskId(), () -> termination.end(run.taskId(), Intention.TIME_OUT)));
        if (mayJudge()) {
            leases.silent().forEach(run -> attempt(run.taskId(), () -> termination.end(run.taskId(), silence(run))));
            leases.abandoned(nodes.id(), engine.held()).stream()
                    // The check is repeated, because this node may have claimed the run since the first check.
                    .filter(run -> !engine.held().contains(run.taskId()))
                    .forEach(run -> attempt(run.taskId(), () -> rescue(run)));
        }
    }

    private static Intention silence(Run run) {
        return run.state() instanceof RunState.Queued ? Intention.UNCLAIMED : Intention.SILENCE;
    }

    /** Looks at once for runs of this node that were ended elsewhere, instead of within a second. */
    public void checkSoon() {
        if (checkQueued.compareAndSet(false, true)) {
            worker.execute(() -> {
                checkQueued.set(false);
                guarded(this::stopLost);
            });
        }
    }

    /**
     * Stops the agents of runs that were taken from this node. Their events no longer enter the log, but an agent would
     * go on and cost money.
     */
    private void stopLost() {
        Set<UUID> believed = engine.answering();
        if (!believed.isEmpty()) {
            leases.lost(nodes.id(), believed).forEach(engine::takenOver);
        }
    }

    /**
     * Restarts a run whose node is gone, if no event of the run is visible. Otherwise, ends the run with its partial
     * answer.
     */
    private void rescue(Run run) {
        if (!(run.state() instanceof RunState.Running running)) {
            return;
        }
        // The takeover comes first, because the former holder may still be writing. After the takeover it can no longer
        // write.
        Optional<RunState.Running> mine = termination.takeOver(run, running, null);
        if (mine.isEmpty()) {
            return;
        }
        if (run.ending() != null || RunLedger.isVisible(journal.logged(run))) {
            termination.end(run.taskId(), Intention.INTERRUPT);
        } else if (running.attempts() >= RunSettings.ATTEMPTS) {
            termination.end(run.taskId(), Intention.GIVE_UP);
        } else {
            RunState.Queued again = mine.get().requeue();
            journal.carry(
                    run,
                    mine.get(),
                    List.of(RunUpdate.of(run, again), new Change.Apply(RunEffect.Moved.to(run, again))));
        }
    }

    private static void attempt(UUID task, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException unavailable) {
            LOG.warn("Could not sweep run of task {}; retrying on the next pass: {}", task, unavailable.toString());
        }
    }

    /** Compacts the deltas of finished runs, and expires events that are too old. */
    private void compact() {
        compact(
                0,
                RunSettings.COMPACT_AFTER,
                run -> piecewise(run, from -> compaction.compact(run.thread(), run.taskId(), from, last(run))));
        compact(
                1,
                settings.keepEvents(),
                run -> piecewise(run, from -> compaction.expire(run.thread(), run.taskId(), from, last(run))));
    }

    /**
     * Does the work for each due run, and then marks all these runs together as done. If this node is killed before
     * that, the work is repeated, without effect.
     */
    private void compact(int stored, Duration after, Consumer<Run> work) {
        List<UUID> done = new ArrayList<>();
        finished.due(nodes.id(), stored, after, MAX_COMPACTED_AT_ONCE)
                .forEach(run -> attempt(run.taskId(), () -> {
                    work.accept(run);
                    done.add(run.taskId());
                }));
        if (!done.isEmpty()) {
            finished.note(done, stored + 1);
        }
    }

    private static void piecewise(Run run, LongUnaryOperator work) {
        for (long from = first(run); from <= last(run); ) {
            from = work.applyAsLong(from) + 1;
        }
    }

    private static long first(Run run) {
        return run.positions().first() == null
                ? run.positions().created()
                : run.positions().first();
    }

    private static long last(Run run) {
        return run.positions().last() == null ? first(run) : run.positions().last();
    }

    @Override
    public void close() {
        worker.shutdownNow();
        try {
            nodes.leave();
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not remove the node; its lease expires instead: {}", unavailable.toString());
        }
    }
}
