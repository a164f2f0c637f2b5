package dev.parley.runs.execution;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import org.jspecify.annotations.Nullable;

/**
 * A run that this node holds: being started, claimed, executed, or ended. Who works on it is interrupted only while
 * the agent answers: anywhere else that would tear down a connection to the database.
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

    /** The actor whose share of the slots it takes from. */
    Actor sharer() {
        return sharer;
    }

    /** When it was taken, by the clock of {@link System#nanoTime}. */
    long since() {
        return since;
    }

    /** From now on it is this node's to execute. */
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

    synchronized void answers(RunWriter open) throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("The run is not ours any more.");
        }
        writer = open;
        answering = Thread.currentThread();
    }

    /** What is left of a wish to stop is in the writer, which takes nothing more. */
    synchronized void hasAnswered() {
        answering = null;
        Thread.interrupted();
    }
}
