package dev.parley.runs.lifecycle;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads runs from rows of their table. */
public final class RunRows {
    private static final List<String> COLUMNS = List.of(
            "task_id",
            "thread_id",
            "run_id",
            "agent",
            "started_by",
            "driver",
            "origin",
            "strategy",
            "parent",
            "root",
            "state",
            "epoch",
            "attempts",
            "node",
            "holder",
            "ending",
            "triggers",
            "reads_to",
            "created_position",
            "first_position",
            "last_position",
            "next_event",
            "outcome",
            "error_code",
            "error_message",
            "created_at",
            "started_at",
            "ended_at");

    private RunRows() {}

    /** The columns of a {@link Run}. The client's input is left out, because it may be large. */
    public static String columns(String alias) {
        return COLUMNS.stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
    }

    public static String interval(Duration duration) {
        return duration.toMillis() + " milliseconds";
    }

    static String wire(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    public static Run read(ResultSet row) throws SQLException {
        return new Run(
                new RunIdentity(
                        row.getObject("task_id", UUID.class),
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getString("run_id"),
                        new Actor(row.getString("agent")),
                        new Actor(row.getString("started_by")),
                        Run.Driver.ofStored(row.getString("driver")),
                        Run.Origin.valueOf(row.getString("origin").toUpperCase(Locale.ROOT)),
                        MultitaskStrategy.valueOf(row.getString("strategy").toUpperCase(Locale.ROOT)),
                        row.getObject("parent", UUID.class),
                        row.getObject("root", UUID.class)),
                state(row),
                row.getInt("attempts"),
                row.getString("ending"),
                Arrays.asList((Long[]) row.getArray("triggers").getArray()),
                row.getObject("reads_to", Long.class),
                new Run.Positions(
                        row.getLong("created_position"),
                        row.getObject("first_position", Long.class),
                        row.getObject("last_position", Long.class)),
                row.getLong("next_event"),
                new Run.Result(row.getString("outcome"), row.getString("error_code"), row.getString("error_message")),
                new Run.Times(
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        instant(row, "started_at"),
                        instant(row, "ended_at")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static RunState state(ResultSet row) throws SQLException {
        int epoch = row.getInt("epoch");
        int attempts = row.getInt("attempts");
        String state = row.getString("state");
        return switch (state) {
            case "queued" -> new RunState.Queued(epoch, attempts);
            case RunState.Running.WIRE -> {
                UUID holder = row.getObject("holder", UUID.class);
                yield new RunState.Running(
                        epoch, attempts, row.getObject("node", UUID.class), holder == null ? new UUID(0, 0) : holder);
            }
            case "waiting" -> new RunState.Waiting(epoch, attempts);
            default -> new RunState.Over(RunState.Ending.valueOf(state.toUpperCase(Locale.ROOT)), epoch);
        };
    }
}
