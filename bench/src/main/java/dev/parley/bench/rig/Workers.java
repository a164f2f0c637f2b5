package dev.parley.bench.rig;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The threads of one task. The caller waits for the end of all threads together. */
public final class Workers {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** Starts a virtual thread. */
    public void start(String name, Runnable work) {
        start(Thread.ofVirtual().name(name), work);
    }

    public void start(Thread.Builder kind, Runnable work) {
        threads.add(kind.start(work));
    }

    public boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    public void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Waits for the ends of all threads; false on timeout. */
    public boolean join(Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.in(limit);
        for (Thread thread : threads) {
            if (!thread.join(deadline.left())) {
                return false;
            }
        }
        return true;
    }

    /** Waits for the ends of all threads, unless this thread is interrupted. */
    public void joinQuietly() {
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public void interrupt() {
        threads.forEach(Thread::interrupt);
    }
}
