package dev.parley.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** What the edge counts for operators. */
final class EdgeMeters {
    private final MeterRegistry registry;
    private final AtomicInteger openStreams = new AtomicInteger();
    private final Counter slowReadersCut;
    private final Counter downloadsCut;

    EdgeMeters(MeterRegistry registry, InFlight inFlight) {
        this.registry = registry;
        Gauge.builder("parley.http.in.flight", inFlight, InFlight::working)
                .description("Requests that are worked on")
                .register(registry);
        Gauge.builder("parley.http.waiting", inFlight, InFlight::waiting)
                .description("Requests that wait for something to happen, and uploads and downloads under way")
                .register(registry);
        Gauge.builder("parley.sse.open", openStreams, AtomicInteger::get)
                .description("Open streams")
                .register(registry);
        slowReadersCut = Counter.builder("parley.sse.slow.readers.cut")
                .description("Streams cut because their reader did not keep up")
                .register(registry);
        downloadsCut = Counter.builder("parley.http.downloads.cut")
                .description("Downloads cut because their reader did not keep up")
                .register(registry);
    }

    RequestMeter request(RouteKey key) {
        return new RequestMeter(registry, key);
    }

    void streamOpened() {
        openStreams.incrementAndGet();
    }

    void streamClosed() {
        openStreams.decrementAndGet();
    }

    void downloadCut() {
        downloadsCut.increment();
    }

    void slowReaderCut() {
        slowReadersCut.increment();
    }
}
