package dev.parley.runs.execution;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A run that this node holds while the node starts, claims, executes or ends the run. Its worker thread is interrupted
 * only while the agent answers. At other times an interrupt would tear down a connection to the database.
 */
final class HeldRun {
    private final ThreadId thread;
    private final Actor sharer;
    private final long since = System.nanoTime();
    private @Nullable RunWriter writer;
    private @Nullable Thread answering;
    private boolean claimed;
    private boolean stopped;

    HeldRun(ThreadId thread, Actor sharer) {
        this.thread = thread;
        this.sharer = sharer;
    }

    ThreadId thread() {
        return thread;
    }

    /** The actor whose share of the slots the run uses. */
    Actor sharer() {
        return sharer;
    }

    /** The time at which the hold began, by {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** Marks the run as claimed, so that this node executes it. */
    synchronized void claimed() {
        claimed = true;
    }

    synchronized boolean isClaimed() {
        return claimed;
    }

    synchronized void stop() {
        stopped = true;
        if (writer != null) {
            writer.stop();
        }
        if (answering != null) {
            answering.interrupt();
        }
    }

    synchronized boolean isStopped() {
        return stopped;
    }

    synchronized boolean isAnswering() {
        return answering != null && !stopped;
    }

    synchronized void beginAnswer(RunWriter open) throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("This node no longer holds the run.");
        }
        writer = open;
        answering = Thread.currentThread();
    }

    /**
     * Ends the answer, and clears an interrupt from {@link #stop}. Nothing is lost, because the same call has stopped
     * the writer, which takes no further events.
     */
    synchronized void endAnswer() {
        answering = null;
        Thread.interrupted();
    }
}
