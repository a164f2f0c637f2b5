package dev.parley.wakeups;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the bus: a numbered beat about once a second that comes back to its node, timed by the monotonic clock. */
final class Pulse {
    static final Duration INTERVAL = Duration.ofSeconds(1);
    /** So long without an answer, or that much on the way, and the polls are quicker. */
    static final Duration LATE = Duration.ofSeconds(3);

    private static final int MAX_OPEN = 64;

    /** A beat that has not come back. */
    private record Beat(long number, long at) {}

    private final Deque<Beat> open = new ArrayDeque<>();
    private long number;
    private long nextAt = System.nanoTime();
    private long answeredAt = System.nanoTime();
    private @Nullable Duration last;

    /** How long until the next beat is due; zero if it is. */
    synchronized Duration untilNext() {
        return Duration.ofNanos(Math.max(0, nextAt - System.nanoTime()));
    }

    synchronized void beSoon() {
        nextAt = System.nanoTime();
    }

    /** The number of the next beat, which leaves now. */
    synchronized long beat() {
        long now = System.nanoTime();
        nextAt = now + INTERVAL.toNanos();
        open.addLast(new Beat(++number, now));
        if (open.size() > MAX_OPEN) {
            open.removeFirst();
        }
        return number;
    }

    /** A beat has come back: how long it took. Those before it are lost, or told by it. */
    synchronized Optional<Duration> answered(long beat) {
        while (!open.isEmpty() && open.getFirst().number() < beat) {
            open.removeFirst();
        }
        if (open.isEmpty() || open.getFirst().number() != beat) {
            return Optional.empty();
        }
        answeredAt = System.nanoTime();
        last = Duration.ofNanos(answeredAt - open.removeFirst().at());
        return Optional.of(last);
    }

    /** How long nothing has come back. */
    synchronized Duration silence() {
        return Duration.ofNanos(System.nanoTime() - answeredAt);
    }

    synchronized boolean isLate() {
        return silence().compareTo(LATE) > 0 || (last != null && last.compareTo(LATE) > 0);
    }

    /** How long the last beat took, or has been on its way if that is longer; empty before the first one came back. */
    synchronized Optional<Duration> lag() {
        Duration waiting = open.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(System.nanoTime() - open.getFirst().at());
        return Optional.ofNullable(last).map(known -> known.compareTo(waiting) > 0 ? known : waiting);
    }
}
