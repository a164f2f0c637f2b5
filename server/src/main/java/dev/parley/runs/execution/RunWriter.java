package dev.parley.runs.execution;

import dev.parley.agents.Agent;
import dev.parley.log.Change;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the log the events of one run that this node executes. While one stretch of events is being committed, the
 * next stretch is collected. If the next stretch exceeds a bound, the agent has to wait. Therefore the agent is only as
 * fast as the log, and viewers see only durable events. The last stretch is committed together with the messages and
 * the terminal event of the run.
 */
final class RunWriter implements Agent.Emitter {
    private static final Logger LOG = LoggerFactory.getLogger(RunWriter.class);

    /** The number of characters that may wait for the log. */
    private static final int MAX_PENDING = 64 * 1024;
    /** The minimal interval between two stretches: fewer, larger commits serve all runs better. */
    private static final Duration PACE = Duration.ofMillis(5);

    private final RunJournal journal;
    private final Run run;
    private final RunState.Running state;
    private final RunLedger ledger;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread carrier;
    private List<String> pending = new ArrayList<>();
    private List<Change> children = new ArrayList<>();
    private int pendingSize;
    private boolean carrying;
    private boolean finishing;
    private boolean stopped;

    RunWriter(RunJournal journal, Run run, RunState.Running state, RunLedger ledger) {
        this.journal = journal;
        this.run = run;
        this.state = state;
        this.ledger = ledger;
        this.carrier = Thread.ofVirtual().name("parley-run-writer").start(this::carry);
    }

    @Override
    public void emit(AguiEvent event) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pendingSize > MAX_PENDING && !stopped && !ledger.guard().isOver()) {
                changed.await();
            }
            if (stopped || ledger.guard().isOver()) {
                throw new InterruptedException("The run takes no further events.");
            }
            take(ledger.accept(event));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void take(List<AguiEvent> entering) {
        List<String> lines = journal.write(ledger, entering);
        pending.addAll(lines);
        children.addAll(ledger.children(entering));
        lines.forEach(line -> pendingSize += line.length());
    }

    /** True if this writer has taken the run's terminal event. */
    boolean isOver() {
        lock.lock();
        try {
            return ledger.guard().isOver();
        } finally {
            lock.unlock();
        }
    }

    /** Stops writing, because the run has another holder or the log is closed. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void carry() {
        try {
            long last = System.nanoTime() - PACE.toNanos();
            while (awaitWork()) {
                long wait = last + PACE.toNanos() - System.nanoTime();
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                }
                last = System.nanoTime();
                carryOne();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            while ((pending.isEmpty() || ledger.guard().isOver()) && !finishing && !stopped) {
                changed.await();
            }
            return !finishing && !stopped;
        } finally {
            lock.unlock();
        }
    }

    private void carryOne() {
        List<Change> changes;
        lock.lock();
        try {
            // The end is not split: after the agent has finished, all remaining events are committed together with the
            // run's messages.
            if (finishing || stopped || pending.isEmpty() || ledger.guard().isOver()) {
                return;
            }
            changes = new ArrayList<>(children);
            changes.add(new Change.Emit(run.taskId(), run.agent(), pending));
            forgetPending();
            carrying = true;
        } finally {
            lock.unlock();
        }
        boolean durable = false;
        try {
            durable = append(changes);
        } finally {
            lock.lock();
            try {
                carrying = false;
                stopped |= !durable;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void forgetPending() {
        pending = new ArrayList<>();
        children = new ArrayList<>();
        pendingSize = 0;
    }

    private boolean append(List<Change> changes) {
        try {
            if (journal.carry(run, state, changes)) {
                return true;
            }
            LOG.info("Run {} was taken over by another holder; this node gives it up", run.name());
        } catch (ProblemException lost) {
            LOG.info("Could not append to run {}; this node gives it up: {}", run.name(), lost.detail());
        }
        return false;
    }

    /** Ends a run whose agent has returned; true if its terminal event is in the log. */
    boolean finish() throws InterruptedException {
        List<Change> before;
        List<String> last;
        lock.lock();
        try {
            finishing = true;
            changed.signalAll();
            while (carrying) {
                changed.await();
            }
            if (stopped) {
                return false;
            }
            if (!ledger.guard().isOver()) {
                take(ledger.guard().accept(success()));
            }
            before = children;
            last = pending;
            forgetPending();
        } finally {
            lock.unlock();
        }
        return RunLedger.appendEnd(again -> ending(before, last, again), this::append);
    }

    private List<Change> ending(List<Change> before, List<String> last, boolean again) {
        lock.lock();
        try {
            List<Change> changes = new ArrayList<>(before);
            changes.addAll(ledger.ending(last, state, again));
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private RunEvent.Finished success() {
        List<String> open =
                ledger.openCalls().stream().map(RunEffect.OpenCall::id).toList();
        return new RunEvent.Finished(
                run.thread().toString(), run.runId(), new Outcome.Success(open.isEmpty() ? null : open));
    }

    /** Ends a run whose agent has failed. */
    void fail(String message, String code) {
        lock.lock();
        try {
            take(ledger.guard().fail(message, code));
        } finally {
            lock.unlock();
        }
    }

    void close() {
        stop();
        carrier.interrupt();
    }
}
