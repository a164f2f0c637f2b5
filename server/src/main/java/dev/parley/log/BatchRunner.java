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
 * Carries a batch to its end: commits it, completes its callers and then wakes its readers. If a batch fails, the
 * runner halves it until the poison command stands alone, so that only its sender is hurt.
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
     * @param locked attempts whose heads other transactions have locked
     * @param untouched attempts to run next: the transaction collided, or their thread or half had to wait
     */
    record Unfinished(List<Attempt> locked, List<Attempt> untouched) {
        static final Unfinished NONE = new Unfinished(List.of(), List.of());

        /** All attempts, locked ones first, so that the commands of a thread keep their order. */
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
     * @throws SQLException if the connection is unusable; attempts that are not settled must be tried again
     */
    Unfinished run(Connection connection, List<Attempt> batch, LaneTransaction.Locking locking) throws SQLException {
        LaneTransaction.Result result;
        long started = System.nanoTime();
        try {
            result = transaction.run(connection, batch, locking);
            // From here on only the log knows the outcome: if the connection is lost before the answers, the attempts
            // look themselves up.
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
        wakeReaders(result.decision().events());
        return new Unfinished(result.skipped(), result.deferred());
    }

    /** Wakes the readers. Wake-ups are hints: a failed one costs a second, and must not cost the batch its answer. */
    private void wakeReaders(List<Event> events) {
        if (!events.isEmpty()) {
            try {
                committed.accept(events);
            } catch (RuntimeException failed) {
                LOG.error("Could not wake readers after a commit; they find its events at their next poll", failed);
            }
        }
    }

    private Unfinished recover(
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
            case CONTENTION -> retryUnlessTooOften(batch, error);
            case BUG, UNAVAILABLE -> {
                LOG.error("Batch of {} commands failed; all of them are answered with an error", batch.size(), error);
                batch.forEach(attempt -> attempt.fail(Problem.INTERNAL, "The append failed."));
                yield Unfinished.NONE;
            }
        };
    }

    /**
     * The attempts whose callers still wait. Each timeout takes seconds: expired attempts must not make the others wait
     * longer.
     */
    private static List<Attempt> unexpired(List<Attempt> batch) {
        return batch.stream().filter(attempt -> !attempt.failIfExpired()).toList();
    }

    private Unfinished halve(
            Connection connection,
            List<Attempt> batch,
            LaneTransaction.Locking locking,
            Exception error,
            Problem ofTheLast)
            throws SQLException {
        if (batch.isEmpty()) {
            return Unfinished.NONE;
        }
        if (batch.size() == 1) {
            LOG.error(
                    "Command of thread {} failed; its caller gets an error",
                    batch.getFirst().command().thread(),
                    error);
            batch.getFirst().fail(ofTheLast, "The append failed.");
            return Unfinished.NONE;
        }
        int middle = batch.size() / 2;
        List<Attempt> second = batch.subList(middle, batch.size());
        Unfinished first = run(connection, batch.subList(0, middle), locking);
        if (first.isEmpty()) {
            return run(connection, second, locking);
        }
        // A retried command must not be overtaken by the commands of its thread in the second half.
        List<Attempt> rest = new ArrayList<>(first.untouched());
        rest.addAll(second);
        return new Unfinished(first.locked(), rest);
    }

    private static Unfinished retryUnlessTooOften(List<Attempt> batch, SQLException error) {
        List<Attempt> retried = new ArrayList<>(batch.size());
        for (Attempt attempt : batch) {
            if (attempt.countCollision() > MAX_COLLISIONS) {
                LOG.warn(
                        "Command of thread {} collided too often; its caller must try again",
                        attempt.command().thread(),
                        error);
                attempt.fail(Problem.DATABASE_UNAVAILABLE, "The thread is locked by other work; try again.");
            } else {
                retried.add(attempt);
            }
        }
        return new Unfinished(List.of(), retried);
    }
}
