package dev.parley.bench.archive;

import dev.parley.archive.Export;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.BenchPostgres;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.bench.rig.Workbench;
import dev.parley.testkit.ChildProcess;
import dev.parley.testkit.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Fills a database, exports it, imports the export into a second database and verifies the second database. Each of the
 * three commands runs in a process of its own. The benchmark fails if the rows of the databases differ, or if the
 * memory of a command grows with the number of rows.
 */
public final class ArchiveBench {
    public static final BenchCommand COMMAND = Scenario.of(
            "archive",
            "an export, its import elsewhere and a verification, with little memory",
            """
                --messages 1000000   messages in all, a quarter of them in one thread
                --per-thread 100     messages of each other thread
                --heap 64            greatest heap of each command, in megabytes
                --json FILE          file of the figures (target/bench/archive.json)
            """,
            Plan::of,
            (plan, bench) -> new ArchiveBench(plan, bench).measure());

    private static final Duration LIMIT = Duration.ofHours(6);
    /**
     * The beginning of a query for the number of rows in a table and the sum over the hashes of the rows. The database
     * neither keeps nor sorts the rows, however many there are.
     */
    private static final String PRINT =
            "select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text from ";

    record Plan(int messages, int perThread, int heapMegabytes, Path json) implements Scenario.Plan {
        static Plan of(Flags flags) {
            return new Plan(
                    flags.number("messages", 1_000, 100_000_000),
                    flags.number("per-thread", 1, 1_000_000),
                    flags.number("heap", 32, 16_384),
                    flags.path("json"));
        }
    }

    private final Plan plan;
    private final Workbench bench;
    private final List<ArchiveReport.Step> steps = new ArrayList<>();
    private long rows;

    private ArchiveBench(Plan plan, Workbench bench) {
        this.plan = plan;
        this.bench = bench;
    }

    private ArchiveReport measure() throws SQLException, IOException, InterruptedException {
        BenchPostgres postgres = bench.keep(BenchPostgres.start(bench.folder(), Map.of("max_wal_size", "4GB")));
        DatabaseAddress here = postgres.database("here");
        DatabaseAddress there = postgres.database("there");
        long begun = System.nanoTime();
        new Conversations(here).fill(plan);
        bench.out().printf("filled in %.1f s%n", seconds(begun));
        Path archive = bench.folder().resolve("export");
        step(here, "export", "--to", archive.toString());
        step(there, "import", "--from", archive.toString());
        step(there, "verify");
        List<String> different = different(here, there);
        return new ArchiveReport(bench.machine(), plan, rows, bytes(archive), steps, different);
    }

    private void step(DatabaseAddress database, String... command) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--data", bench.folder().resolve("data").toString()));
        arguments.addAll(List.of("--database-url", database.jdbcUrl(), "--database-user", database.user()));
        List<String> jvm = new ArrayList<>(ServerProcess.JVM_FLAGS.stream()
                .filter(flag -> !flag.startsWith("-Xmx"))
                .toList());
        jvm.addAll(List.of("-Xmx" + plan.heapMegabytes() + "m", "-XX:+UseSerialGC"));
        Map<String, String> password = Map.of("PARLEY_DATABASE_PASSWORD", database.password());
        long begun = System.nanoTime();
        ChildProcess process = bench.keep(
                ChildProcess.java(bench.folder(), password, jvm, ServerProcess.Program.PARLEY.mainClass(), arguments));
        try (MemoryWatch memory = new MemoryWatch(process.pid())) {
            int status = process.awaitExit(LIMIT);
            double seconds = seconds(begun);
            process.close();
            process.output().forEach(line -> bench.out().println("  " + line));
            bench.out().printf("%s: %.1f s, status %d%n", command[0], seconds, status);
            steps.add(new ArchiveReport.Step(command[0], status, seconds, memory.quarters()));
        }
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private static long bytes(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private List<String> different(DatabaseAddress here, DatabaseAddress there) throws SQLException {
        Map<String, String> first = prints(here);
        Map<String, String> second = prints(there);
        return first.keySet().stream()
                .filter(table -> !String.valueOf(first.get(table)).equals(second.get(table)))
                .toList();
    }

    private Map<String, String> prints(DatabaseAddress address) throws SQLException {
        Map<String, String> prints = new TreeMap<>();
        rows = 0;
        try (Connection connection = address.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement)) {
                try (ResultSet row = statement.executeQuery(PRINT + table + " t")) {
                    row.next();
                    rows += row.getLong(1);
                    prints.put(table, row.getLong(1) + " " + row.getString(2));
                }
            }
        }
        return prints;
    }

    private static List<String> tables(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("""
                select table_name from information_schema.tables
                where table_schema = 'public' and table_type = 'BASE TABLE'
                order by 1""")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        tables.removeAll(Export.leftOut());
        return tables;
    }
}
