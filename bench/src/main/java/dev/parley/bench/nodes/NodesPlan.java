package dev.parley.bench.nodes;

import dev.parley.bench.rig.Bus;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one run of the benchmark does.
 *
 * @param nodes of the cluster that is compared with a single node
 * @param rate messages that are due a second
 * @param viewers of each thread, on different nodes where there are several
 */
record NodesPlan(
        int nodes,
        Bus bus,
        int rate,
        int threads,
        int viewers,
        int contentBytes,
        Duration window,
        int rounds,
        Duration warmUp,
        Path json) {}
