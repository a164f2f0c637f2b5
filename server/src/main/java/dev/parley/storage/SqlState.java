package dev.parley.storage;

import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The meaning of an SQL error for the work that failed. */
public enum SqlState {
    /** The data is at fault (classes 22 and 23): a retry gives the same error. */
    POISON,
    /** Another transaction was in the way: the whole transaction may be retried. */
    CONTENTION,
    /** A statement ran into its timeout: its work is too large. */
    SLOW,
    /** The connection is gone or the server cannot serve now; the outcome of a commit may be unknown. */
    UNAVAILABLE,
    /** Any other error is a defect of Parley. */
    BUG;

    public static SqlState of(SQLException error) {
        if (error.getCause() instanceof IOException) {
            return UNAVAILABLE;
        }
        String state = error.getSQLState();
        if (state == null || state.length() < 2) {
            return UNAVAILABLE;
        }
        return switch (state) {
            // serialization failure, deadlock, lock not available
            case "40001", "40P01", "55P03" -> CONTENTION;
            case "57014" -> SLOW;
            // read-only after a failover; terminated while idle in a transaction
            case "25006", "25P03" -> UNAVAILABLE;
            default ->
                switch (state.substring(0, 2)) {
                    // data, constraints, and values too large for an index row or too deep
                    case "22", "23", "54" -> POISON;
                    // connection, insufficient resources, operator intervention, system error
                    case "08", "53", "57", "58" -> UNAVAILABLE;
                    default -> "XX001".equals(state) || "XX002".equals(state) ? UNAVAILABLE : BUG;
                };
        };
    }

    /** The first SQL error in a chain of causes, if there is one. */
    static @Nullable SQLException find(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
