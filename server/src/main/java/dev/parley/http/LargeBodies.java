package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bodies over 1 MB are held in memory until they are worked off: so many at once, half of them one caller's at most. Others
 * wait in their sockets for a time, in order of their coming; there are only so many who may.
 */
final class LargeBodies {
    /** A body of exactly this many bytes is not large. */
    static final int LARGE = 1024 * 1024;

    /** Who waits may hold a megabyte already: a body that did not say its length. */
    private static final int WAITING_PER_PLACE = 4;

    private final int most;
    private final Duration patience;
    /** Fair, so that nobody overtakes those who have waited. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final Condition givenBack = lock.newCondition();
    private final Counts held = new Counts();
    private final Counts waiting = new Counts();

    /** Things counted by whose they are. */
    private static final class Counts {
        private final Map<Object, Integer> byCaller = new HashMap<>();
        private int all;

        boolean hasRoom(Object caller, int most) {
            return all < most && byCaller.getOrDefault(caller, 0) < Math.max(1, most / 2);
        }

        void add(Object caller) {
            all++;
            byCaller.merge(caller, 1, Integer::sum);
        }

        void remove(Object caller) {
            all--;
            byCaller.computeIfPresent(caller, (who, own) -> own == 1 ? null : own - 1);
        }
    }

    LargeBodies(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /** Waits for a place; refuses if there is none in time, or too many wait. */
    void take(Object caller) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!held.hasRoom(caller, most)) {
                awaitPlace(caller);
            }
            held.add(caller);
        } finally {
            lock.unlock();
        }
    }

    private void awaitPlace(Object caller) throws InterruptedException {
        if (!waiting.hasRoom(caller, most * WAITING_PER_PLACE)) {
            throw refusal();
        }
        waiting.add(caller);
        try {
            long left = patience.toNanos();
            while (!held.hasRoom(caller, most)) {
                if (left <= 0) {
                    throw refusal();
                }
                left = givenBack.awaitNanos(left);
            }
        } finally {
            waiting.remove(caller);
        }
    }

    private static ProblemException refusal() {
        return new ProblemException(Problem.OVERLOADED, "Too many large bodies are being taken in; try again soon.");
    }

    void giveBack(Object caller) {
        lock.lock();
        try {
            held.remove(caller);
            givenBack.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
