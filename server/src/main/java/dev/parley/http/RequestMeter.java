package dev.parley.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;

/** Times the requests of one route, by the class of their status; a timer is created when its first request ends. */
final class RequestMeter {
    /** The bounds between instant, noticeable and slow answers. They are few, because every route has them. */
    private static final Duration[] BOUNDS = LongStream.of(5, 25, 100, 250, 1_000, 2_500, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final RouteKey key;
    private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(6);

    RequestMeter(MeterRegistry registry, RouteKey key) {
        this.registry = registry;
        this.key = key;
    }

    void record(int status, long nanos) {
        int group = Math.clamp(status / 100, 0, 5);
        Timer timer = timers.get(group);
        if (timer == null) {
            // Two threads may both reach this line, and the registry gives them the same timer.
            timer = Timer.builder("parley.http.requests")
                    .description("Requests from head to answer")
                    .tag("method", key.method())
                    .tag("route", key.path())
                    .tag("status", group + "xx")
                    .serviceLevelObjectives(BOUNDS)
                    .register(registry);
            timers.set(group, timer);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }
}
