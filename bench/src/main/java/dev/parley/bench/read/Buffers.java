package dev.parley.bench.read;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Counts the buffers that the server's own statements touch, as pg_stat_statements notes them. */
final class Buffers {
    /**
     * The query for the buffers and the calls since the last reset. It leaves out the statements of this class and of
     * timers, because these statements belong to no route.
     */
    private static final String TOUCHED = """
            select coalesce(sum(shared_blks_hit + shared_blks_read), 0), coalesce(sum(calls), 0)
            from pg_stat_statements
            where calls >= ? and query not like '%pg_stat_statements%'
            """;

    private static final int ROUNDS = 3;

    private final Connection connection;

    Buffers(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
        }
    }

    /** The cost of one request. */
    record Touched(double buffers, double statements) {}

    /**
     * Runs a request again and again and counts the buffers that its statements touch. Background work of the server
     * and the database only adds to the count. Therefore the least count of a few rounds is the cost of the request
     * itself.
     */
    Touched count(int times, Runnable request) throws SQLException {
        // Plans of prepared statements change in their first executions; only the final plans are counted.
        for (int i = 0; i < 12; i++) {
            request.run();
        }
        Touched least = round(times, request);
        for (int i = 1; i < ROUNDS; i++) {
            Touched another = round(times, request);
            least = another.buffers() < least.buffers() ? another : least;
        }
        return least;
    }

    private Touched round(int times, Runnable request) throws SQLException {
        try (Statement reset = connection.createStatement();
                PreparedStatement read = connection.prepareStatement(TOUCHED)) {
            reset.execute("select pg_stat_statements_reset()");
            for (int i = 0; i < times; i++) {
                request.run();
            }
            read.setInt(1, times);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return new Touched(row.getDouble(1) / times, row.getDouble(2) / times);
            }
        }
    }
}
