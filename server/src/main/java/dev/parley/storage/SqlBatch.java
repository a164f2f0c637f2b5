package dev.parley.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements that are sent together, in one round trip and in order. With autocommit the statements are one
 * transaction, which the driver ends after the last statement. If a statement fails, the later statements are not
 * carried out.
 */
public final class SqlBatch {
    /**
     * The statements that the driver certainly sends without waiting for results. With more of them, it ends the
     * transaction in between (some 250 of them, by its estimate of the results in 64 KB).
     */
    private static final int MAX_TOGETHER = 100;

    private final Source source;
    private final List<String> statements = new ArrayList<>();
    private final List<Parameters> parameters = new ArrayList<>();

    public SqlBatch(Connection connection) {
        this(() -> connection);
    }

    /** @param source supplies the connection, for sending and for writers that need results */
    public SqlBatch(Source source) {
        this.source = source;
    }

    public interface Source {
        Connection connection() throws SQLException;
    }

    /** Binds the parameters of one statement, from the first to the last. */
    public interface Parameters {
        Parameters NONE = arrays -> {};

        void bind(SqlArrays arrays) throws SQLException;
    }

    /** True if all statements are one transaction with autocommit. */
    public boolean isOneTransaction() {
        return statements.size() <= MAX_TOGETHER;
    }

    public SqlBatch add(String statement, Parameters bound) {
        statements.add(statement);
        parameters.add(bound);
        return this;
    }

    /** Sends all statements so far. Later statements need another round trip. */
    public void send() throws SQLException {
        if (!statements.isEmpty()) {
            sendOn(source.connection());
        }
    }

    public void sendOn(Connection connection) throws SQLException {
        try (PreparedStatement all = connection.prepareStatement(String.join(";\n", statements))) {
            SqlArrays arrays = new SqlArrays(connection, all);
            for (Parameters each : parameters) {
                each.bind(arrays);
            }
            all.execute();
        } finally {
            statements.clear();
            parameters.clear();
        }
    }

    /** The connection, for a writer that needs results. All earlier statements are sent first. */
    public Connection connection() throws SQLException {
        Connection connection = source.connection();
        send();
        return connection;
    }
}
