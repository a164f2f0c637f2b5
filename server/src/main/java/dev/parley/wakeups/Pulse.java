package dev.parley.wakeups;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures the delay of the bus by the monotonic clock. About once a second, the pulse sends a numbered beat. The bus
 * returns each beat to the node that sent it.
 */
final class Pulse {
    static final Duration INTERVAL = Duration.ofSeconds(1);
    /** The delay, or the time without a returned beat, after which polling is faster than the bus. */
    static final Duration LATE = Duration.ofSeconds(3);

    private static final int MAX_OPEN = 64;

    /** A beat that has not returned. */
    private record Beat(long number, long at) {}

    private final Deque<Beat> open = new ArrayDeque<>();
    private long number;
    private long nextAt = System.nanoTime();
    private long answeredAt = System.nanoTime();
    private @Nullable Duration last;

    /** The time until the next beat is due; zero if it is due now. */
    synchronized Duration untilNext() {
        return Duration.ofNanos(Math.max(0, nextAt - System.nanoTime()));
    }

    synchronized void beatSoon() {
        nextAt = System.nanoTime();
    }

    /** The number of the next beat, which is sent now. */
    synchronized long beat() {
        long now = System.nanoTime();
        nextAt = now + INTERVAL.toNanos();
        open.addLast(new Beat(++number, now));
        if (open.size() > MAX_OPEN) {
            open.removeFirst();
        }
        return number;
    }

    /**
     * Notes that a beat has returned, and returns its delay. Earlier beats are dropped, because they are lost or
     * overtaken.
     */
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

    /** The time since the last beat returned. */
    synchronized Duration silence() {
        return Duration.ofNanos(System.nanoTime() - answeredAt);
    }

    synchronized boolean isLate() {
        return silence().compareTo(LATE) > 0 || (last != null && last.compareTo(LATE) > 0);
    }

    /**
     * The delay of the last beat, or the age of the oldest open beat if that is longer; empty before the first beat has
     * returned.
     */
    synchronized Optional<Duration> lag() {
        Duration waiting = open.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(System.nanoTime() - open.getFirst().at());
        return Optional.ofNullable(last).map(known -> known.compareTo(waiting) > 0 ? known : waiting);
    }
}
