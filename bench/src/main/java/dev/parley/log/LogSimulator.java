package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Runs seeded random histories of clients, lanes, crashes and lost answers through the log's decision, and checks the
 * log's promises after each history. The same seed gives the same history.
 */
public final class LogSimulator {
    private final Decider decider;

    /** The decision under test. A test of the simulator passes a faulty decision. */
    interface Decider {
        Decision decide(
                Map<ThreadId, Head> heads,
                KnownFacts known,
                LogFeatures.BatchFacts facts,
                Instant now,
                List<Command> commands);
    }

    LogSimulator(Decider decider) {
        this.decider = decider;
    }

    /** The simulator of the real decision. */
    public static LogSimulator ofTheLog() {
        return new LogSimulator(Decision::decide);
    }

    /** The totals of a walk. */
    public record Tally(long histories, long commands, long acknowledged, long crashes) {
        static final Tally NONE = new Tally(0, 0, 0, 0);

        public Tally plus(Tally other) {
            return new Tally(
                    histories + other.histories,
                    commands + other.commands,
                    acknowledged + other.acknowledged,
                    crashes + other.crashes);
        }
    }

    /** A history that broke a promise. */
    public static final class Violation extends RuntimeException {
        Violation(long seed, String description) {
            super("seed " + seed + ": " + description);
        }
    }

    /**
     * Runs the histories for a range of seeds. Throws a {@link Violation} with the seed at the first broken promise.
     */
    public Tally walk(long firstSeed, long count) {
        Tally tally = Tally.NONE;
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            tally = tally.plus(walkOne(seed));
        }
        return tally;
    }

    Tally walkOne(long seed) {
        return new SimulatedHistory(seed, decider).run();
    }
}
