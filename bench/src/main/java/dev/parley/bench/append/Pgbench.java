package dev.parley.bench.append;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Window;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs PostgreSQL's own load generator, if it is installed. Its inserts write the same row as {@link EntryInsert}. */
record Pgbench(Path program, Path folder, Cluster cluster, Meter meter, AppendBench.Plan plan) {
    private static final Pattern DONE = Pattern.compile("number of transactions actually processed: ([0-9]+)");
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(60);

    /** Finds the program; empty if it is not on the PATH. */
    static Optional<Pgbench> find(Path scratch, Cluster cluster, Meter meter, AppendBench.Plan plan) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return List.of(path.split(File.pathSeparator)).stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "pgbench"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(program -> new Pgbench(program, scratch, cluster, meter, plan));
    }

    AppendReport.Window measure(String scenario, int round, int clients, String content)
            throws IOException, InterruptedException {
        DiskProbe.Flush flush = meter.probeDisk();
        Path script = Files.writeString(folder.resolve("insert.pgbench"), script(plan.threads(), content));
        Window window = meter.window().begin();
        meter.beginCheckpoint();
        String output = run(script, clients);
        long messages = Long.parseLong(find(DONE, output));
        window.end();
        CpuUse.Each each = window.cpu().per(messages);
        double seconds = messages / Double.parseDouble(find(RATE, output));
        return new AppendReport.Window(
                scenario, round, seconds, messages, 0, null, each.servers(), each.database(), null, null, null, flush);
    }

    /**
     * The script of one run. The seqs of each client count up from the start time of the run, so the seqs of two runs
     * do not collide.
     */
    private static String script(int threads, String content) {
        return """
                \\set thread random(1, %d)
                \\set n :n + 1
                insert into yardstick.pgbench (thread_id, seq, position, id, kind, author, role, content, metadata, \
                mentions, reply_to, client_message_id, base_seq, latest_seen_seq, created_at, fingerprint, salt, \
                digest) \
                values (lpad(:thread::text, 32, '0')::uuid, :n::bigint * 1000 + :client_id, :n::bigint, \
                lpad(:n::text, 36, '0'), 0, 'user:00000000-0000-0000-0000-000000000000', 'user', '%s', null, null, null, \
                lpad(:n::text, 16, '0'), null, null, now(), '\\x%s', '\\x%s', '\\x%s');
                """.formatted(threads, content, "ab".repeat(32), "ab".repeat(16), "ab".repeat(32));
    }

    private String run(Path script, int clients) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        program.toString(),
                        "--no-vacuum",
                        "--protocol=prepared",
                        "--client=" + clients,
                        "--jobs=" + Math.min(clients, Runtime.getRuntime().availableProcessors()),
                        "--time=" + Math.max(1, plan.window().toSeconds()),
                        "--define=n=" + System.currentTimeMillis() * 1_000,
                        "--file=" + script,
                        "--host=127.0.0.1",
                        "--port=" + cluster.databasePort(),
                        "--username=" + cluster.database().user(),
                        "parley")
                .redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", cluster.database().password());
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(plan.window().plus(EXIT_TIMEOUT).toSeconds(), TimeUnit.SECONDS)
                    || process.exitValue() != 0) {
                throw new IOException("pgbench failed:\n" + output);
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String find(Pattern pattern, String output) throws IOException {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IOException("The output of pgbench has no " + pattern + ":\n" + output);
        }
        return matcher.group(1);
    }
}
