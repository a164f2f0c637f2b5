package dev.parley.bench.prove;

import dev.parley.log.LogSimulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;

/** Walks simulated histories of the log on all cores. */
final class SimulatorProof {
    private SimulatorProof() {}

    static LogFinding run(long firstSeed, long histories) throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        List<Future<LogSimulator.Tally>> parts = new ArrayList<>();
        List<LogSimulator.Tally> tallies = new ArrayList<>();
        List<String> violations = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(cores)) {
            for (int core = 0; core < cores; core++) {
                long from = histories * core / cores;
                long to = histories * (core + 1) / cores;
                parts.add(pool.submit(() -> LogSimulator.ofTheLog().walk(firstSeed + from, to - from)));
            }
            for (Future<LogSimulator.Tally> part : parts) {
                try {
                    tallies.add(part.get());
                } catch (ExecutionException failed) {
                    violations.add(String.valueOf(failed.getMessage()));
                }
            }
        }
        return LogFinding.of(
                "simulated histories",
                firstSeed,
                sum(tallies, LogSimulator.Tally::histories),
                sum(tallies, LogSimulator.Tally::commands),
                sum(tallies, LogSimulator.Tally::acknowledged),
                Map.of("crashes", sum(tallies, LogSimulator.Tally::crashes)),
                violations);
    }

    private static long sum(List<LogSimulator.Tally> tallies, ToLongFunction<LogSimulator.Tally> count) {
        return tallies.stream().mapToLong(count).sum();
    }
}
