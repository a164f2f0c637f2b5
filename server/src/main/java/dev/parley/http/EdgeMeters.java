package dev.parley.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of the edge. */
final class EdgeMeters {
    private final MeterRegistry registry;
    private final AtomicInteger openStreams = new AtomicInteger();
    private final Counter slowReadersCut;
    private final Counter downloadsCut;

    EdgeMeters(MeterRegistry registry, InFlight inFlight, MemoryBudget ofCallers, MemoryBudget ofAnyone) {
        this.registry = registry;
        Gauge.builder("parley.http.in.flight", inFlight, InFlight::working)
                .description("Requests that are worked on")
                .register(registry);
        Gauge.builder("parley.http.waiting", inFlight, InFlight::waiting)
                .description(
                        "Requests that wait: for an event, their client's body, memory, or the end of an upload or download")
                .register(registry);
        FunctionCounter.builder("parley.http.over.share", inFlight, InFlight::overShare)
                .description("Requests refused since their caller had its share of those under way")
                .register(registry);
        measure(ofCallers, "known");
        measure(ofAnyone, "anyone");
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

    private void measure(MemoryBudget budget, String callers) {
        Gauge.builder("parley.http.memory.reserved", budget, MemoryBudget::reserved)
                .tag("callers", callers)
                .description("Bytes of heap that requests under way have reserved")
                .baseUnit(BaseUnits.BYTES)
                .register(registry);
        Gauge.builder("parley.http.memory.waiting", budget, MemoryBudget::waiting)
                .tag("callers", callers)
                .description("Requests that wait for memory")
                .register(registry);
        FunctionCounter.builder("parley.http.memory.refused", budget, MemoryBudget::refused)
                .tag("callers", callers)
                .description("Requests refused since no memory became free in time")
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
