package dev.parley.log;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The source of the facts by which a batch is decided: the database, with the heads locked, or memory alone. If no rule
 * asks for a connection, because all rules remember the facts that they need, the batch may be written in one round
 * trip.
 */
public final class FactSource {
    /** The source without a connection. A rule that asks it for a connection ends the decision from memory. */
    static final FactSource MEMORY = new FactSource(null);

    private final @Nullable Connection connection;

    private FactSource(@Nullable Connection connection) {
        this.connection = connection;
    }

    public static FactSource of(Connection connection) {
        return new FactSource(connection);
    }

    /**
     * The lane's connection, with the heads locked.
     *
     * @throws NotRemembered if the batch is decided from memory; the lane then decides the batch anew with a connection
     */
    public Connection connection() throws NotRemembered {
        if (connection == null) {
            throw new NotRemembered();
        }
        return connection;
    }

    /**
     * True if the batch is decided from memory. A rule then need not check that a name is free if a unique key of the
     * database checks it: a batch that violates the key is decided anew, with reads.
     */
    public boolean isMemory() {
        return connection == null;
    }

    /**
     * Thrown if a rule needs a fact that it does not remember. The exception is no error. It is thrown often, and
     * therefore carries no stack trace.
     */
    static final class NotRemembered extends SQLException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
