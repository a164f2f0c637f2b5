package dev.parley.streaming;

import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watchers of all threads. Wake-ups are hints, and are given after the commit. A watcher registers, reads the log,
 * and then waits. Once a second one query compares the heads of all watched threads, so a lost wake-up costs a second
 * and never an event.
 */
public final class Watches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);
    private static final Duration REPAIR_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SETTLE_POLL = Duration.ofMillis(2);

    private final LogReader reader;
    private final ConcurrentHashMap<ThreadId, Watch> watches = new ConcurrentHashMap<>();
    private final List<Runnable> chores = new CopyOnWriteArrayList<>();
    private final List<Consumer<ThreadId>> factsChanged = new CopyOnWriteArrayList<>();
    /** Threads that other nodes hinted at and that have not been checked since. */
    private final Set<ThreadId> hinted = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean checking = new AtomicBoolean();
    private final ScheduledExecutorService repairs = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().name("parley-watch-repair").daemon().factory());

    public Watches(LogReader reader) {
        this.reader = reader;
        repairs.scheduleWithFixedDelay(
                this::repair, REPAIR_INTERVAL.toMillis(), REPAIR_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Receives the positions that a thread reaches, one call at a time. */
    interface Watcher {
        /**
         * @param position a position up to which the log is committed
         * @param events the events just committed, in order; empty if the events are not in memory
         */
        void woken(long position, List<Event> events);
    }

    /** A watcher's registration. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    Registration register(ThreadId thread, Watcher watcher) {
        watches.compute(thread, (id, watch) -> {
            Watch result = watch == null ? new Watch() : watch;
            result.add(watcher);
            return result;
        });
        return () -> watches.computeIfPresent(thread, (id, watch) -> watch.remove(watcher) ? null : watch);
    }

    /**
     * Hands committed events to the watchers of their threads, and does nothing else, because it is called on the
     * lane's thread.
     */
    public void committed(List<Event> events) {
        if (watches.isEmpty()) {
            return;
        }
        Map<ThreadId, List<Event>> watched = new HashMap<>();
        for (Event event : events) {
            if (watches.containsKey(event.thread())) {
                watched.computeIfAbsent(event.thread(), thread -> new ArrayList<>())
                        .add(event);
            }
        }
        watched.forEach((thread, news) -> wake(thread, news.getLast().position(), news));
    }

    /** Announces a position of a thread; watchers that are behind read the log. */
    void hint(ThreadId thread, long position) {
        wake(thread, position, List.of());
    }

    /**
     * Receives a position of a thread from another node. The position is checked first, because a wrong position would
     * keep watchers waiting for it. One query checks all such threads, and hints that arrive during the query wait for
     * the next query.
     */
    public void hintedElsewhere(ThreadId thread, long position) {
        Watch watch = watches.get(thread);
        if (watch != null && watch.state(thread).position() < position) {
            hinted.add(thread);
            if (checking.compareAndSet(false, true)) {
                repairs.execute(this::lookAtHinted);
            }
        }
    }

    private void lookAtHinted() {
        // The flag is cleared first, so that a hint from here on starts another check.
        checking.set(false);
        Set<ThreadId> threads = Set.copyOf(hinted);
        hinted.removeAll(threads);
        List<LogReader.HeadState> states = new ArrayList<>(threads.size());
        for (ThreadId thread : threads) {
            Watch watch = watches.get(thread);
            if (watch != null) {
                states.add(watch.state(thread));
            }
        }
        compare(states);
    }

    private void wake(ThreadId thread, long position, List<Event> events) {
        Watch watch = watches.get(thread);
        if (watch != null) {
            watch.wake(position, events);
        }
    }

    /** Runs a task with the repair, about once a second. */
    void everySecond(Runnable work) {
        chores.add(work);
    }

    private void repair() {
        try {
            chores.forEach(Runnable::run);
            compareAll();
        } catch (RuntimeException | Error failed) {
            LOG.debug("A task of the repair failed; retrying on the next pass: {}", failed.toString());
        }
    }

    private void compareAll() {
        List<LogReader.HeadState> states = new ArrayList<>(watches.size());
        watches.forEach((thread, watch) -> states.add(watch.state(thread)));
        compare(states);
    }

    /** Waits until all watchers have received the committed events, so that a stop does not lose them. */
    public void settle(Duration atMost) {
        compareAll();
        long end = System.nanoTime() + atMost.toNanos();
        while (watches.values().stream().anyMatch(Watch::isDelivering) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(SETTLE_POLL.toNanos());
        }
    }

    private void compare(List<LogReader.HeadState> states) {
        try {
            if (!states.isEmpty()) {
                reader.moved(states).forEach(this::moved);
            }
        } catch (RuntimeException | Error unavailable) {
            LOG.debug(
                    "Could not compare the heads of watched threads; retrying on the next pass: {}",
                    unavailable.toString());
        }
    }

    private void moved(LogReader.HeadState now) {
        Watch watch = watches.get(now.thread());
        if (watch != null) {
            watch.wake(now.position(), List.of());
            if (watch.noteFacts(now.facts())) {
                factsChanged.forEach(listener -> listener.accept(now.thread()));
            }
        }
    }

    /** Notifies the listener, within about a second, when the facts of a watched thread change on any node. */
    void whenFactsChange(Consumer<ThreadId> listener) {
        factsChanged.add(listener);
    }

    @Override
    public void close() {
        repairs.shutdownNow();
    }
}
