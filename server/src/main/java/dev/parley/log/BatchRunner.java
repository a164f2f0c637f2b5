package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.storage.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a batch to its end: commits it, completes its callers and then wakes its readers, or finds out whose fault it
 * was that it failed. A poison command hurts only its sender: the batch is halved until it stands alone.
 */
final class BatchRunner {
    private static final Logger LOG = LoggerFactory.getLogger(BatchRunner.class);
    private static final int MAX_COLLISIONS = 5;

    private final LaneTransaction transaction;
    private final Consumer<List<Event>> committed;
    private final LaneMeters meters;

    BatchRunner(LaneTransaction transaction, Consumer<List<Event>> committed, LaneMeters meters) {
        this.transaction = transaction;
        this.committed = committed;
        this.meters = meters;
    }

    /**
     * The attempts of a batch to try again.
     *
     * @param locked others hold the locks of their heads
     * @param untouched their turn comes next: the transaction collided, or their thread or their half had to wait
     */
    record Again(List<Attempt> locked, List<Attempt> untouched) {
        static final Again NONE = new Again(List.of(), List.of());

        /** All of them, so that no thread's commands change their order. */
        List<Attempt> all() {
            List<Attempt> all = new ArrayList<>(locked);
            all.addAll(untouched);
            return all;
        }

        boolean isEmpty() {
            return locked.isEmpty() && untouched.isEmpty();
        }
    }

    /**
     * Runs a batch.
     *
     * @throws SQLException the connection cannot be used any more; attempts that are not settled must be tried again
     */
    Again run(Connection connection, List<Attempt> batch, LaneTransaction.Locking locking) throws SQLException {
        LaneTransaction.Result result;
        long started = System.nanoTime();
        try {
            result = transaction.run(connection, batch, locking);
            // From here on only the log knows: whatever comes between now and their answers, they look themselves up.
            result.decided().forEach(Attempt::committing);
            connection.commit();
        } catch (SQLException error) {
            return recover(connection, batch, locking, error);
        } catch (RuntimeException bug) {
            connection.rollback();
            return halve(connection, batch, locking, bug, Problem.INTERNAL);
        }
        meters.committed(result.decided().size(), result.decision().drafts().size(), System.nanoTime() - started);
        List<CommandOutcome> outcomes = result.decision().outcomes();
        for (int i = 0; i < outcomes.size(); i++) {
            result.decided().get(i).complete(outcomes.get(i));
        }
        tell(result.decision().events());
        return new Again(result.skipped(), result.deferred());
    }

    /** Wake-ups are hints: one that fails costs a second, and must not cost the batch its answer. */
    private void tell(List<Event> events) {
        if (!events.isEmpty()) {
            try {
                committed.accept(events);
            } catch (RuntimeException failed) {
                LOG.error("Readers were not woken after a commit", failed);
            }
        }
    }

    private Again recover(
            Connection connection, List<Attempt> batch, LaneTransaction.Locking locking, SQLException error)
            throws SQLException {
        SqlState state = SqlState.of(error);
        if (state == SqlState.UNAVAILABLE) {
            throw error;
        }
        connection.rollback();
        return switch (state) {
            case POISON -> halve(connection, batch, locking, error, Problem.INTERNAL);
            case SLOW -> halve(connection, unexpired(batch), locking, error, Problem.DATABASE_UNAVAILABLE);
            case CONTENTION -> againUnlessTooOften(batch, error);
            case BUG, UNAVAILABLE -> {
                LOG.error("A batch of {} commands failed", batch.size(), error);
                batch.forEach(attempt -> attempt.fail(Problem.INTERNAL, "The append failed."));
                yield Again.NONE;
            }
        };
    }

    /** Each time-out takes seconds: those whose callers have gone by now do not make the others wait longer. */
    private static List<Attempt> unexpired(List<Attempt> batch) {
        return batch.stream().filter(attempt -> !attempt.failIfExpired()).toList();
    }

    private Again halve(
            Connection connection,
            List<Attempt> batch,
            LaneTransaction.Locking locking,
            Exception error,
            Problem ofTheLast)
            throws SQLException {
        if (batch.isEmpty()) {
            return Again.NONE;
        }
        if (batch.size() == 1) {
            LOG.error(
                    "A command of thread {} cannot be carried out",
                    batch.getFirst().command().thread(),
                    error);
            batch.getFirst().fail(ofTheLast, "The append failed.");
            return Again.NONE;
        }
        int middle = batch.size() / 2;
        List<Attempt> second = batch.subList(middle, batch.size());
        Again first = run(connection, batch.subList(0, middle), locking);
        if (first.isEmpty()) {
            return run(connection, second, locking);
        }
        // What is tried again must not be overtaken by its own thread's commands of the second half.
        List<Attempt> rest = new ArrayList<>(first.untouched());
        rest.addAll(second);
        return new Again(first.locked(), rest);
    }

    private static Again againUnlessTooOften(List<Attempt> batch, SQLException error) {
        List<Attempt> again = new ArrayList<>(batch.size());
        for (Attempt attempt : batch) {
            if (attempt.countCollision() > MAX_COLLISIONS) {
                LOG.warn(
                        "A command of thread {} collided too often",
                        attempt.command().thread(),
                        error);
                attempt.fail(Problem.DATABASE_UNAVAILABLE, "The thread is locked by other work; try again.");
            } else {
                again.add(attempt);
            }
        }
        return new Again(List.of(), again);
    }
}
