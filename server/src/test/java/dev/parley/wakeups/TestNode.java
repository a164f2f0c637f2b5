package dev.parley.wakeups;

import dev.parley.protocol.ThreadId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that does nothing but listen. */
final class TestNode implements AutoCloseable {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final Map<ThreadId, Hint> heard = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Bus bus;

    TestNode(Wakeups wakeups) {
        bus = Bus.start(wakeups, metrics);
        bus.listen(hints -> hints.forEach(hint -> {
            count.incrementAndGet();
            heard.merge(hint.thread(), hint, Hint::and);
        }));
    }

    Bus bus() {
        return bus;
    }

    void send(ThreadId thread, long position, News... news) {
        bus.send(List.of(Hint.of(thread, position, news)));
    }

    /** What it was told of a thread, all in one. */
    Optional<Hint> heard(ThreadId thread) {
        return Optional.ofNullable(heard.get(thread));
    }

    /** How many hints it was told. */
    int count() {
        return count.get();
    }

    List<ThreadId> threads() {
        return new ArrayList<>(heard.keySet());
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
