package dev.parley.bench.append;

import dev.parley.bench.rig.Flags;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code ./parley bench append}. */
public final class AppendCommand {
    public static final String FLAGS = """
                --seconds 15         length of each measured window
                --writers 256        HTTP connections that post, one message under way on each
                --threads 1000       threads they post to
                --rounds 3           how often each load has its turn
                --content-bytes 200  length of a message
                --connections 64,256 connections of the bare inserts, one yardstick for each number
                --warm-up 60         longest time, in seconds, to wait until CPU per message is flat
                --checkpoint on      begin each window with a checkpoint
                --json FILE          where the figures are saved (target/bench/append.json)
            """;

    private static final Set<String> NAMES = Set.of(
            "seconds", "writers", "threads", "rounds", "content-bytes", "connections", "warm-up", "checkpoint", "json");

    private AppendCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        AppendPlan plan = plan(Flags.parse(arguments, NAMES));
        try {
            AppendReport report = new AppendBench(plan, out).run();
            out.println();
            out.println(report.text());
            save(report, plan.json());
            out.println("saved as " + plan.json());
            return 0;
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException("The benchmark broke off", failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    static AppendPlan plan(Flags flags) {
        return new AppendPlan(
                Duration.ofSeconds(flags.number("seconds", 15, 1, 3_600)),
                flags.number("writers", 256, 1, 10_000),
                flags.number("threads", 1_000, 1, 100_000),
                flags.number("rounds", 3, 1, 100),
                flags.number("content-bytes", 200, 1, 5_000),
                flags.numbers("connections", List.of(64, 256), 1, 1_000),
                Duration.ofSeconds(flags.number("warm-up", 60, 0, 3_600)),
                flags.on("checkpoint", true),
                flags.path("json", Path.of("target", "bench", "append.json")));
    }

    private static void save(AppendReport report, Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.write(file, Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(new Saved(report)));
    }

    /** The file: every window, and the ratios drawn from them. */
    private record Saved(AppendReport report, List<AppendReport.Ratio> ratios) {
        Saved(AppendReport report) {
            this(report, report.ratios());
        }
    }
}
