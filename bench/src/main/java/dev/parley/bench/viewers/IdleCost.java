package dev.parley.bench.viewers;

import dev.parley.bench.rig.CpuUse;

/** The cost of viewers while nothing happens: heartbeats, and looking whether something has happened. */
record IdleCost(double seconds, int viewers, CpuUse cpu, long bytes) {
    double serverPercent() {
        return cpu.servers().toNanos() / seconds / 1e7;
    }

    double databasePercent() {
        return cpu.database().plus(cpu.redis()).toNanos() / seconds / 1e7;
    }

    /** Microseconds of CPU a viewer and second. */
    double microsEach() {
        return cpu.serving().toNanos() / 1e3 / seconds / viewers;
    }
}
