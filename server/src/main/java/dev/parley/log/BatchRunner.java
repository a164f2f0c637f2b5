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
     * Runs a batch.
     *
     * @return the attempts to try again: their heads were locked by others, or the transaction collided
     * @throws SQLException the connection cannot be used any more; attempts that are not settled must be tried again
     */
    List<Attempt> run(Connection connection, List<Attempt> batch, LaneTransaction.Locking locking) throws SQLException {
        boolean committing = false;
        LaneTransaction.Result result;
        long started = System.nanoTime();
        try {
            result = transaction.run(connection, batch, locking);
            committing = true;
            connection.commit();
        } catch (SQLException error) {
            return recover(connection, batch, locking, error, committing);
        } catch (RuntimeException bug) {
            connection.rollback();
            LOG.error("A batch of {} commands could not be decided", batch.size(), bug);
            batch.forEach(attempt -> attempt.fail(Problem.INTERNAL, "The append failed."));
            return List.of();
        }
        meters.committed(result.decided().size(), result.decision().drafts().size(), System.nanoTime() - started);
        List<Outcome> outcomes = result.decision().outcomes();
        for (int i = 0; i < outcomes.size(); i++) {
            result.decided().get(i).complete(outcomes.get(i));
        }
        if (!result.decision().events().isEmpty()) {
            committed.accept(result.decision().events());
        }
        return result.skipped();
    }

    private List<Attempt> recover(
            Connection connection,
            List<Attempt> batch,
            LaneTransaction.Locking locking,
            SQLException error,
            boolean committing)
            throws SQLException {
        SqlState state = SqlState.of(error);
        if (state == SqlState.UNAVAILABLE) {
            if (committing) {
                batch.forEach(Attempt::commitUnanswered);
            }
            throw error;
        }
        connection.rollback();
        return switch (state) {
            case POISON -> halve(connection, batch, locking, error);
            case CONTENTION -> againUnlessTooOften(batch, error);
            case BUG, UNAVAILABLE -> {
                LOG.error("A batch of {} commands failed", batch.size(), error);
                batch.forEach(attempt -> attempt.fail(Problem.INTERNAL, "The append failed."));
                yield List.of();
            }
        };
    }

    private List<Attempt> halve(
            Connection connection, List<Attempt> batch, LaneTransaction.Locking locking, SQLException error)
            throws SQLException {
        if (batch.size() == 1) {
            LOG.error(
                    "The database refused a command of thread {}",
                    batch.getFirst().command().thread(),
                    error);
            batch.getFirst().fail(Problem.INTERNAL, "The append failed.");
            return List.of();
        }
        int middle = batch.size() / 2;
        List<Attempt> again = new ArrayList<>(run(connection, batch.subList(0, middle), locking));
        List<Attempt> second = batch.subList(middle, batch.size());
        if (again.isEmpty()) {
            return run(connection, second, locking);
        }
        // What is tried again must not be overtaken by its own thread's commands of the second half.
        again.addAll(second);
        return again;
    }

    private static List<Attempt> againUnlessTooOften(List<Attempt> batch, SQLException error) {
        List<Attempt> again = new ArrayList<>(batch.size());
        for (Attempt attempt : batch) {
            if (attempt.collided() > MAX_COLLISIONS) {
                LOG.warn(
                        "A command of thread {} collided too often",
                        attempt.command().thread(),
                        error);
                attempt.fail(Problem.DATABASE_UNAVAILABLE, "The thread is locked by other work; try again.");
            } else {
                again.add(attempt);
            }
        }
        return again;
    }
}
