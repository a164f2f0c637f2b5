package dev.parley.bench.viewers;

import dev.parley.bench.rig.CpuUse;

/** The cost of viewers without events: heartbeats, and polls for events. */
record IdleCost(double seconds, int viewers, CpuUse cpu, long bytes) {
    double serverPercent() {
        return cpu.servers().toNanos() / seconds / 1e7;
    }

    double databasePercent() {
        return cpu.database().plus(cpu.redis()).toNanos() / seconds / 1e7;
    }

    /** Microseconds of CPU per viewer and second. */
    double microsEach() {
        return cpu.serving().toNanos() / 1e3 / seconds / viewers;
    }
}
