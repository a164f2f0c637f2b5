package dev.parley.runs.lifecycle;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run. Each move is a method of the state that it leaves, and there are no other moves.
 *
 * <pre>
 *            claim              end
 *   Queued ─────────▶ Running ─────────▶ Over (completed | failed | cancelled)
 *     ▲  │              │ ▲ │
 *     │  └── end ───────┼─┼─┼──────────▶ Over
 *     │     requeue     │ │ │
 *     └─────────────────┘ │ │ pause (external only)
 *                 resume  │ ▼
 *                        Waiting ──────▶ Over
 * </pre>
 *
 * Every move except the end gives the run another epoch, so a command based on an earlier read is refused. A takeover
 * creates another Running.
 */
public sealed interface RunState {
    /** The name in SQL and JSON. */
    String wire();

    /** The state of a run that is not over. */
    sealed interface Unfinished extends RunState {
        int epoch();

        /** The number of claims. */
        int attempts();

        default Over end(Ending ending) {
            return new Over(ending, epoch());
        }
    }

    /** The run waits for its turn. */
    record Queued(int epoch, int attempts) implements Unfinished {
        /** The state of a run that was never claimed. */
        public static final Queued FIRST = new Queued(0, 0);

        /** @param node null for an external driver */
        public Running claim(@Nullable UUID node, UUID holder) {
            return new Running(epoch + 1, attempts + 1, node, holder);
        }

        @Override
        public String wire() {
            return "queued";
        }
    }

    /**
     * A node or an external driver executes the run.
     *
     * @param holder identifies this claim of the run
     */
    record Running(int epoch, int attempts, @Nullable UUID node, UUID holder) implements Unfinished {
        /** The state's name in SQL and JSON. */
        public static final String WIRE = "running";

        /** Takes the run from its holder, to end it or to start it again. */
        public Running takeOver(@Nullable UUID byNode, UUID byHolder) {
            return new Running(epoch + 1, attempts, byNode, byHolder);
        }

        public Queued requeue() {
            return new Queued(epoch + 1, attempts);
        }

        public Waiting pause() {
            return new Waiting(epoch + 1, attempts);
        }

        @Override
        public String wire() {
            return WIRE;
        }
    }

    /** The driver has paused the run. A paused run holds no slot. */
    record Waiting(int epoch, int attempts) implements Unfinished {
        public Running resume(UUID holder) {
            return new Running(epoch + 1, attempts, null, holder);
        }

        @Override
        public String wire() {
            return "waiting";
        }
    }

    /** The run has its terminal event. */
    record Over(Ending ending, int epoch) implements RunState {
        @Override
        public String wire() {
            return ending.wire();
        }
    }

    /** The kinds of terminal state. */
    enum Ending {
        COMPLETED,
        FAILED,
        CANCELLED;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
