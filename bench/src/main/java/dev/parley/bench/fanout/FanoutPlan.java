package dev.parley.bench.fanout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What one run of the benchmark does.
 *
 * @param viewers of the one thread
 * @param threads with two viewers each
 * @param rate posts per second to the one thread
 * @param spreadRate posts per second to all of the threads together
 */
record FanoutPlan(
        int viewers,
        int threads,
        int rate,
        int spreadRate,
        int contentBytes,
        Duration window,
        int rounds,
        Duration warmUp,
        Path json) {
    /** How many channels there are, who views them, and how fast they are posted to. */
    record Shape(String name, int channels, int viewers, int rate) {}

    List<Shape> shapes() {
        return List.of(
                new Shape("1 thread × " + viewers + " viewers", 1, viewers, rate),
                new Shape(threads + " threads × 2 viewers", threads, threads * 2, spreadRate));
    }
}
