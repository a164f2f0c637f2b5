package dev.parley.http;

import dev.parley.limits.Limits;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The address of the edge, and its settings besides the operators' limits.
 *
 * @param port the port; 0 for any free port
 * @param eventLoops the number of threads for input and output
 * @param requestMemory bytes of heap that all requests may hold together: bodies, their parsed form, answers
 * @param idleTimeout the longest time that a connection waits for its next request
 * @param sseQueueBytes the bytes that may wait in memory for one stream's reader
 * @param sendBufferBytes the socket's send buffer; 0 leaves it to the operating system
 */
public record HttpSettings(
        String host,
        int port,
        int eventLoops,
        long requestMemory,
        Limits.Http limits,
        Duration idleTimeout,
        int sseQueueBytes,
        int sendBufferBytes) {
    private static final Duration SLOWEST_TICK = Duration.ofSeconds(1);
    private static final Duration FASTEST_TICK = Duration.ofMillis(5);

    /** The settings for this machine, from its number of processors and the configured part of its heap. */
    public static HttpSettings of(String host, int port, Limits.Http limits) {
        Runtime machine = Runtime.getRuntime();
        return new HttpSettings(
                host,
                port,
                machine.availableProcessors(),
                machine.maxMemory() / 100 * limits.memoryPercent(),
                limits,
                Duration.ofSeconds(75),
                256 * 1024,
                0);
    }

    /** The interval at which each loop checks its connections: a quarter of the shortest time that it enforces. */
    Duration tick() {
        Duration tick = Stream.of(
                        SLOWEST_TICK.multipliedBy(4),
                        limits.headTimeout(),
                        limits.bodyTimeout(),
                        limits.uploadTime(),
                        idleTimeout,
                        limits.drainTime(),
                        limits.heartbeat(),
                        limits.slowReader(),
                        limits.parcelTime())
                .min(Duration::compareTo)
                .orElseThrow()
                .dividedBy(4);
        return tick.compareTo(FASTEST_TICK) < 0 ? FASTEST_TICK : tick;
    }
}
