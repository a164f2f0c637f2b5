package dev.parley.bench.append;

import dev.parley.bench.rig.DiskProbe;
import org.jspecify.annotations.Nullable;

/**
 * One window of one load.
 *
 * @param serverMicros CPU time of the server for each message
 * @param clientMicros CPU time of the load generator for each message; null where it is not ours to measure
 * @param flush what a durable write cost just before
 */
record Measured(
        String scenario,
        int round,
        double seconds,
        long messages,
        long failures,
        @Nullable String firstFailure,
        double serverMicros,
        double postgresMicros,
        @Nullable Double clientMicros,
        @Nullable Double p50Millis,
        @Nullable Double p99Millis,
        DiskProbe.Flush flush) {
    double perSecond() {
        return messages / seconds;
    }

    /** What a message costs the machine that serves it. */
    double servingMicros() {
        return serverMicros + postgresMicros;
    }
}
