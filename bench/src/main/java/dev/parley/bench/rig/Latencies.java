package dev.parley.bench.rig;

import org.HdrHistogram.Histogram;

/** The distribution of some times, in milliseconds. */
public record Latencies(long count, double p50, double p99, double p999, double max) {
    /** @param micros times in microseconds */
    public static Latencies ofMicros(Histogram micros) {
        return new Latencies(
                micros.getTotalCount(),
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getValueAtPercentile(99.9) / 1e3,
                micros.getMaxValue() / 1e3);
    }
}
