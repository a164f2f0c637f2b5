package dev.parley.http;

import java.time.Duration;

/**
 * Where the edge listens and every limit it keeps.
 *
 * @param port 0 for any free one
 * @param eventLoops how many threads do the input and output
 * @param maxInFlight requests between their head and their answer; more are refused
 * @param maxWaiting requests that wait for an event, their client's body, memory, or the end of a transfer, which do not
 *     count as in flight; more are refused
 * @param requestMemory bytes of heap that all requests may hold together: bodies, what is made of them, answers
 * @param memoryTimeout how long a request waits for memory before it is refused
 * @param maxHeaderBytes of the request line and of all headers together, each
 * @param headTimeout from a connection's opening, or a head's first byte, to the head's end
 * @param bodyTimeout from the head's end to the body's end, without the time it waits for memory; for an upload, the
 *     longest silence while it is read
 * @param uploadTime from an upload's head to its end
 * @param idleTimeout how long a connection may wait for its next request
 * @param drainBytes how much of a refused body is read and dropped before the connection is closed
 * @param drainTime how long a refused body is read and dropped
 * @param heartbeat the longest silence on an open stream
 * @param slowReader how long the queue of a stream or download may stay full before it is cut
 * @param parcelTime how long the reader of a download may take for 64 KB before it is cut
 * @param sseQueueBytes what may wait in memory for one stream's reader
 * @param sendBufferBytes the socket's send buffer; 0 leaves it to the operating system
 */
public record HttpSettings(
        String host,
        int port,
        int eventLoops,
        int maxInFlight,
        int maxWaiting,
        long requestMemory,
        Duration memoryTimeout,
        int maxHeaderBytes,
        Duration headTimeout,
        Duration bodyTimeout,
        Duration uploadTime,
        Duration idleTimeout,
        int drainBytes,
        Duration drainTime,
        Duration heartbeat,
        Duration slowReader,
        Duration parcelTime,
        int sseQueueBytes,
        int sendBufferBytes) {
    private static final Duration SLOWEST_TICK = Duration.ofSeconds(1);
    private static final Duration FASTEST_TICK = Duration.ofMillis(5);

    public static HttpSettings standard(String host, int port) {
        return new HttpSettings(
                host,
                port,
                Runtime.getRuntime().availableProcessors(),
                10_000,
                10_000,
                Runtime.getRuntime().maxMemory() * 2 / 5,
                Duration.ofSeconds(5),
                16 * 1024,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                Duration.ofSeconds(75),
                16 * 1024 * 1024,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                256 * 1024,
                0);
    }

    /** How often each loop looks at its connections: a quarter of the shortest time it has to keep. */
    Duration tick() {
        Duration shortest = SLOWEST_TICK.multipliedBy(4);
        for (Duration each : new Duration[] {
            headTimeout, bodyTimeout, uploadTime, idleTimeout, drainTime, heartbeat, slowReader, parcelTime
        }) {
            shortest = each.compareTo(shortest) < 0 ? each : shortest;
        }
        Duration tick = shortest.dividedBy(4);
        return tick.compareTo(FASTEST_TICK) < 0 ? FASTEST_TICK : tick;
    }
}
