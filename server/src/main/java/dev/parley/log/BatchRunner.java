package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.storage.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a batch to its end: commits it, completes its callers and then wakes its readers. If a batch fails, the
 * runner halves it until the failing command is alone, so that only the sender of that command gets an error.
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
     * @param locked the attempts whose heads other transactions have locked
     * @param untouched the attempts to run next, because their transaction collided, or because their thread or their
     *     half of the batch had to wait
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
            Optional<LaneTransaction.Result> quick = transaction.runFromMemory(connection, batch);
            if (quick.isPresent()) {
                result = quick.get();
            } else {
                result = transaction.run(connection, batch, locking);
                // From here on only the log knows the outcome. If the connection is lost before the COMMIT is
                // answered, the retried attempts look up their own ids in the log.
                result.selection().decided().forEach(Attempt::committing);
                connection.commit();
            }
        } catch (SQLException error) {
            return recover(connection, batch, locking, error);
        } catch (RuntimeException bug) {
            connection.rollback();
            return halve(connection, batch, locking, bug, Problem.INTERNAL);
        }
        transaction.remember(result);
        meters.committed(
                result.selection().decided().size(), result.decision().drafts().size(), System.nanoTime() - started);
        List<CommandOutcome> outcomes = result.decision().outcomes();
        for (int i = 0; i < outcomes.size(); i++) {
            result.selection().decided().get(i).complete(outcomes.get(i));
        }
        wakeReaders(result.decision().events());
        return new Unfinished(result.selection().skipped(), result.selection().deferred());
    }

    /**
     * Wakes the readers. A failed wake-up only delays the readers by a second, so it must not cost the batch its
     * answer.
     */
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
     * The attempts whose callers still wait. A batch that times out takes seconds. This method therefore fails expired
     * attempts, so that the other attempts do not wait for them.
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
