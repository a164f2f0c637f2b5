package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The entrance to the log. Every append of every face passes through this class, and ends durable or refused. */
public final class Log implements AutoCloseable {
    /** The number of connections that a lane may use: one of its own, and one for each parked thread. */
    public static final int CONNECTIONS_PER_LANE = 1 + ParkedThreads.MAX_PARKED;

    private static final Duration FULL_PAUSE = Duration.ofMillis(5);

    private final LogSettings settings;
    private final List<Lane> lanes = new ArrayList<>();

    /**
     * @param features the features' rules, followers and writers
     * @param committed receives all events after their commit; it runs on the lane's own thread, so it must only hand
     *     the events over
     */
    public Log(
            Database database,
            LogFeatures features,
            LogSettings settings,
            Clock clock,
            Consumer<List<Event>> committed,
            MeterRegistry registry) {
        this.settings = settings;
        LaneMeters meters = new LaneMeters(registry);
        BatchRunner runner = new BatchRunner(new LaneTransaction(features, clock), committed, meters);
        for (int i = 0; i < settings.lanes(); i++) {
            lanes.add(new Lane(i, settings, runner, () -> open(database), meters));
        }
        Gauge.builder("parley.lane.queue", this, Log::waiting)
                .description("Commands waiting for a lane")
                .register(registry);
    }

    /** Carries out a command and returns once it is durable. Throws an exception if the command is refused. */
    public CommandOutcome.Done append(Command command) {
        Attempt attempt = new Attempt(command, settings.deadline());
        switch (laneOf(command.thread()).offer(attempt)) {
            case TAKEN -> {}
            case FULL ->
                throw new ProblemException(Problem.OVERLOADED, "Too many appends are waiting; try again shortly.");
            case CLOSED -> throw stopping();
        }
        return done(attempt);
    }

    /**
     * Carries out a command like {@link #append}, for work that no client would send again. This method waits for room
     * in the queue instead of refusing, and waits longer for the outcome.
     */
    public CommandOutcome.Done carry(Command command, Duration timeout) {
        Attempt attempt = new Attempt(command, timeout);
        Lane lane = laneOf(command.thread());
        LaneQueue.Offer offer = lane.offer(attempt);
        while (offer == LaneQueue.Offer.FULL && !attempt.failIfExpired()) {
            LockSupport.parkNanos(FULL_PAUSE.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw stopping();
            }
            offer = lane.offer(attempt);
        }
        if (offer == LaneQueue.Offer.CLOSED) {
            throw stopping();
        }
        return done(attempt);
    }

    private static CommandOutcome.Done done(Attempt attempt) {
        return switch (attempt.await()) {
            case CommandOutcome.Done done -> done;
            case CommandOutcome.Refused(Refusal refusal) ->
                throw refusal.outdated() ? new OutdatedCommand(refusal.detail()) : refusal.toException();
        };
    }

    private static ProblemException stopping() {
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
    }

    /** The number of commands that wait for a lane. */
    public int waiting() {
        return lanes.stream().mapToInt(Lane::waiting).sum();
    }

    /** True if every lane still works. */
    public boolean alive() {
        return lanes.stream().allMatch(Lane::alive);
    }

    /** A thread always uses the same lane, which keeps its commands in order. */
    private Lane laneOf(ThreadId thread) {
        return lanes.get(Math.floorMod(Long.hashCode(thread.value().getLeastSignificantBits()), lanes.size()));
    }

    private static Connection open(Database database) throws SQLException {
        Connection connection = database.connect();
        try {
            LaneTransaction.prepare(connection);
            return connection;
        } catch (SQLException unusable) {
            connection.close();
            throw unusable;
        }
    }

    @Override
    public void close() {
        // All lanes refuse first, and then drain at the same time.
        lanes.forEach(Lane::refuse);
        lanes.forEach(Lane::close);
    }
}
