package dev.parley.bench.rig;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The cost of one operation, including the background work of server and PostgreSQL. */
public record OperationCost(double serverMicros, double databaseMicros, double walBytes) {
    public double cpuMicros() {
        return serverMicros + databaseMicros;
    }

    @Override
    public String toString() {
        return Figures.whole(cpuMicros()) + " µs CPU, " + Figures.whole(walBytes) + " bytes of WAL each";
    }

    /** The ratios of two costs. */
    public record Ratio(double cpu, double walBytes) {
        /** @param ratio the function that computes the ratio for one figure */
        public static Ratio of(ToDoubleFunction<ToDoubleFunction<OperationCost>> ratio) {
            return new Ratio(
                    ratio.applyAsDouble(OperationCost::cpuMicros), ratio.applyAsDouble(OperationCost::walBytes));
        }
    }

    /** The columns of a table that shows costs. */
    public static <R> Columns<R> columns(String title, Function<R, String> name, Function<R, OperationCost> cost) {
        return new Columns<R>()
                .add(title, name)
                .whole("server µs", row -> cost.apply(row).serverMicros())
                .whole("PostgreSQL µs", row -> cost.apply(row).databaseMicros())
                .whole("CPU µs", row -> cost.apply(row).cpuMicros())
                .whole("WAL bytes", row -> cost.apply(row).walBytes());
    }

    /** Measures operations on a cluster. */
    public static final class Meter {
        private final Cluster cluster;
        private final Connection connection;

        public Meter(Cluster cluster) throws SQLException {
            this.cluster = cluster;
            this.connection = cluster.connect();
        }

        /** Carries out the work, and divides its cost by the number of operations. */
        public OperationCost measure(int operations, Runnable work) throws SQLException {
            long walBefore = Cluster.walBytes(connection);
            CpuUse before = cluster.used();
            work.run();
            double wal = Cluster.walBytes(connection) - walBefore;
            CpuUse.Each each = cluster.used().since(before).per(operations);
            return new OperationCost(each.servers(), each.database(), wal / operations);
        }

        /** Runs a statement between two measurements. */
        public void execute(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
