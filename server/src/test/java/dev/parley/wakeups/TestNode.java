package dev.parley.wakeups;

import dev.parley.protocol.ThreadId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that only listens. */
final class TestNode implements AutoCloseable {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Map<ThreadId, Hint> received = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Bus bus;

    TestNode(Wakeups wakeups) {
        bus = Bus.start(wakeups, metrics);
        bus.listen(hints -> hints.forEach(hint -> {
            count.incrementAndGet();
            received.merge(hint.thread(), hint, Hint::and);
        }));
    }

    Bus bus() {
        return bus;
    }

    void send(ThreadId thread, long position, News... news) {
        bus.send(List.of(Hint.of(thread, position, news)));
    }

    /** All hints of a thread, merged into one. */
    Optional<Hint> received(ThreadId thread) {
        return Optional.ofNullable(received.get(thread));
    }

    /** The number of hints received. */
    int count() {
        return count.get();
    }

    List<ThreadId> threads() {
        return new ArrayList<>(received.keySet());
    }

    double counted(String name) {
        return metrics.counter(name).count();
    }

    long pulses() {
        return metrics.timer("parley.wakeups").count();
    }

    @Override
    public void close() {
        bus.close();
    }
}
