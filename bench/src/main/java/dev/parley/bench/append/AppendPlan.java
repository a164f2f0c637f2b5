package dev.parley.bench.append;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What one run of the benchmark does.
 *
 * @param connections how many connections the bare inserts use, one yardstick for each number
 * @param warmUp the longest time to wait for CPU per message to become flat
 * @param checkpoint whether each window begins with a checkpoint, so that all pay for one alike
 */
record AppendPlan(
        Duration window,
        int writers,
        int threads,
        int rounds,
        int contentBytes,
        List<Integer> connections,
        Duration warmUp,
        boolean checkpoint,
        Path json) {
    /** Time that a load runs before it is measured. */
    Duration leadIn() {
        Duration third = window.dividedBy(3);
        Duration longest = Duration.ofSeconds(3);
        return third.compareTo(longest) < 0 ? third : longest;
    }
}
