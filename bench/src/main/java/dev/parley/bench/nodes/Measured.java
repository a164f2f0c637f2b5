package dev.parley.bench.nodes;

import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Latencies;
import org.jspecify.annotations.Nullable;

/**
 * One window of one cluster.
 *
 * @param post from when a message was due until it was acknowledged
 * @param delivery from when it was due until a viewer had it
 */
record Measured(
        int nodes,
        int round,
        double seconds,
        long messages,
        long deliveries,
        long failures,
        @Nullable String firstFailure,
        CpuUse.Each perMessage,
        CpuUse.Each perDelivery,
        Latencies post,
        Latencies delivery,
        DiskProbe.Flush flush) {}
