package dev.parley.ingest;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls a platform for earlier messages. If the platform asks for a pause that ends before the deadline, the call
 * waits. The pause applies to all calls of one instance.
 */
public final class HistoryCalls {
    /** The pause before the next attempt where an operator has to change a setting or a permission. */
    public static final Duration CONFIG_RETRY_DELAY = Duration.ofMinutes(10);
    /** The pause before the next attempt where no token is configured. */
    public static final Duration MISSING_TOKEN_RETRY_DELAY = Duration.ofDays(1);
    /** The pause before the next attempt after an answer that names no pause. */
    public static final Duration DEFAULT_RETRY_DELAY = Duration.ofSeconds(30);

    /** The shortest pause between two attempts. A platform may ask for a pause of zero seconds. */
    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);

    /** The moment until which the platform wants no call, by {@link System#nanoTime}. */
    private final AtomicLong limitedUntil = new AtomicLong(System.nanoTime());

    /** One call of the platform. */
    public interface Call<A, E extends Exception> {
        /** @param left the time until the deadline */
        A call(Duration left) throws E, InterruptedException;
    }

    /** The deadline passed without an answer. */
    public static final class TimeOver extends Exception {
        private final @Nullable Duration pause;

        private TimeOver(@Nullable Duration pause) {
            super("The deadline has passed.");
            this.pause = pause;
        }

        /** The rest of the pause that the platform asked for; null if it asked for none. */
        public @Nullable Duration pause() {
            return pause;
        }
    }

    /** The deadline at the end of a time limit, by {@link System#nanoTime}. */
    public static long deadlineAfter(Duration limit) {
        return System.nanoTime() + limit.toNanos();
    }

    /**
     * Repeats a call until the platform does not ask for a pause.
     *
     * @param pauseOf the pause that an answer asks for; null for an answer that asks for none
     */
    public <A, E extends Exception> A call(long deadline, Call<A, E> call, Function<A, @Nullable Duration> pauseOf)
            throws E, TimeOver, InterruptedException {
        while (true) {
            long pause = Math.max(0, limitedUntil.get() - System.nanoTime());
            long left = deadline - System.nanoTime() - pause;
            if (left <= 0) {
                throw new TimeOver(pause > 0 ? Duration.ofNanos(pause) : null);
            }
            Thread.sleep(Duration.ofNanos(pause));
            A answer = call.call(Duration.ofNanos(left));
            Duration requested = pauseOf.apply(answer);
            if (requested == null) {
                return answer;
            }
            long pauseWanted = Math.max(requested.toNanos(), MIN_PAUSE.toNanos());
            limitedUntil.accumulateAndGet(
                    System.nanoTime() + pauseWanted, (one, other) -> one - other > 0 ? one : other);
        }
    }
}
