package dev.parley.bench.archive;

import dev.parley.archive.Export;
import dev.parley.bench.rig.Cleanup;
import dev.parley.bench.rig.Folders;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.ServerProcess;
import dev.parley.postgres.EmbeddedPostgres;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testkit.ChildProcess;
import dev.parley.testkit.TestPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Fills a database, exports it, imports that into another one and verifies it, each by the command in a process of its own. */
final class ArchiveBench {
    private static final Path FOLDER = Path.of("target", "bench", "archive");
    private static final Duration LIMIT = Duration.ofHours(6);
    /** A sum over hashes: however many rows there are, nobody has to hold or sort them. */
    private static final String PRINT =
            "select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text from ";

    private final ArchivePlan plan;
    private final PrintStream out;
    private final List<ArchiveReport.Step> steps = new ArrayList<>();
    private long rows;

    ArchiveBench(ArchivePlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    ArchiveReport run() throws SQLException, IOException, InterruptedException {
        Machine machine = Machine.here();
        Path folder = Folders.empty(FOLDER);
        try (Cleanup cleanup = new Cleanup()) {
            EmbeddedPostgres postgres = cleanup.keep(EmbeddedPostgres.start(new EmbeddedPostgres.Settings(
                    folder.resolve("postgres"),
                    TestPostgres.programs(),
                    Map.of("max_wal_size", "4GB"),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(30))));
            DatabaseAddress here = database(postgres, "here");
            DatabaseAddress there = database(postgres, "there");
            long begun = System.nanoTime();
            new Conversations(here).fill(plan);
            out.printf("filled in %.1f s%n", seconds(begun));
            Path archive = folder.resolve("export");
            step(cleanup, here, folder, "export", "--to", archive.toString());
            step(cleanup, there, folder, "import", "--from", archive.toString());
            step(cleanup, there, folder, "verify");
            List<String> different = different(here, there);
            return new ArchiveReport(machine, plan, rows, bytes(archive), steps, different);
        } finally {
            Folders.delete(folder);
        }
    }

    private static DatabaseAddress database(EmbeddedPostgres postgres, String name) {
        postgres.createDatabaseIfMissing(name);
        return new DatabaseAddress(postgres.jdbcUrl(name), postgres.user(), postgres.password());
    }

    private void step(Cleanup cleanup, DatabaseAddress database, Path folder, String... command)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(
                "--data", folder.resolve("data").toString(),
                "--database-url", database.jdbcUrl(),
                "--database-user", String.valueOf(database.user())));
        Map<String, String> environment = new HashMap<>();
        environment.put("PARLEY_DATABASE_PASSWORD", String.valueOf(database.password()));
        List<String> jvm = new ArrayList<>(ServerProcess.JVM_FLAGS.stream()
                .filter(flag -> !flag.startsWith("-Xmx"))
                .toList());
        jvm.addAll(List.of("-Xmx" + plan.heapMegabytes() + "m", "-XX:+UseSerialGC"));
        long begun = System.nanoTime();
        ChildProcess process =
                cleanup.keep(ChildProcess.java(folder, environment, jvm, "dev.parley.app.Main", arguments));
        try (MemoryWatch memory = new MemoryWatch(process.pid())) {
            int status = process.awaitExit(LIMIT);
            double seconds = seconds(begun);
            process.close();
            process.output().forEach(line -> out.println("  " + line));
            out.printf("%s: %.1f s, status %d%n", command[0], seconds, status);
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
