package dev.parley.bench.rig;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a run in reverse order, at the end of the run or when the JVM is told to stop before that end.
 */
public final class Cleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAll, "cleanup");

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public synchronized <T extends AutoCloseable> T keep(T part) {
        started.push(part);
        return part;
    }

    private synchronized void closeAll() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (Exception | AssertionError failed) {
                LOG.warn("Could not close {}; closing the other parts of the run", part.getClass(), failed);
            }
        }
    }

    @Override
    public void close() {
        closeAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // The hook itself is running and needs no removal.
        }
    }
}
