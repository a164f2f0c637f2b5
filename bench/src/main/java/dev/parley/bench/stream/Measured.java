package dev.parley.bench.stream;

import org.HdrHistogram.Histogram;

/**
 * One window of one peer.
 *
 * @param tokens that viewers got
 * @param serverMicros CPU time per token, likewise of the database and of the load generator
 */
record Measured(
        String peer,
        int round,
        double seconds,
        long tokens,
        Times latency,
        Times commit,
        double serverMicros,
        double databaseMicros,
        double clientMicros) {
    /** Percentiles in microseconds. */
    record Times(long count, long p50, long p99, long p999) {
        static Times of(Histogram micros) {
            return new Times(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50),
                    micros.getValueAtPercentile(99),
                    micros.getValueAtPercentile(99.9));
        }
    }
}
