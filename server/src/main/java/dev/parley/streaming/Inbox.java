package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.InboxRow;
import dev.parley.threads.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream over all threads of a caller: hints that something changed, at most one per thread and second. Its viewers
 * watch no threads; once a second one query finds which of them are in threads that changed, here or on another node.
 */
public final class Inbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Threads threads;
    private final Function<InboxRow, Frames> encoder;
    private final ConcurrentHashMap<Actor, Set<SseConnection>> viewers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-inbox").daemon().factory());
    private Set<ThreadId> changed = new HashSet<>();
    private final RecentHints told = new RecentHints();
    private Instant activityReadTo;

    public Inbox(Threads threads, Function<InboxRow, Frames> encoder) {
        this.threads = threads;
        this.encoder = encoder;
        this.activityReadTo = Instant.EPOCH;
        ticks.scheduleWithFixedDelay(this::tick, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes that threads changed. Called on the lane's thread, so it only notes. */
    public void committed(List<Event> events) {
        if (!viewers.isEmpty()) {
            synchronized (this) {
                events.forEach(event -> changed.add(event.thread()));
            }
        }
    }

    /** Adds a viewer; run the result when it is gone. */
    public Runnable add(Actor actor, SseConnection connection) {
        viewers.compute(actor, (key, connections) -> {
            Set<SseConnection> kept = connections == null ? ConcurrentHashMap.newKeySet() : connections;
            kept.add(connection);
            return kept;
        });
        return () -> viewers.computeIfPresent(actor, (key, connections) -> {
            connections.remove(connection);
            return connections.isEmpty() ? null : connections;
        });
    }

    private synchronized Set<ThreadId> takeChanged() {
        Set<ThreadId> taken = changed;
        changed = new HashSet<>();
        return taken;
    }

    private void tick() {
        if (viewers.isEmpty()) {
            activityReadTo = Instant.EPOCH;
            return;
        }
        try {
            Set<ThreadId> here = takeChanged();
            Set<ThreadId> news = new HashSet<>(here);
            activityReadTo = threads.addActiveSince(activityReadTo, news);
            if (!news.isEmpty()) {
                for (InboxRow row : threads.inboxOf(news, Set.copyOf(viewers.keySet()))) {
                    if (here.contains(row.thread()) || told.isNews(row)) {
                        tell(row);
                    }
                }
            }
            told.nextTick();
        } catch (RuntimeException unavailable) {
            LOG.debug("Inbox hints are late: {}", unavailable.toString());
        }
    }

    private void tell(InboxRow row) {
        Set<SseConnection> connections = viewers.get(row.actor());
        if (connections != null) {
            told.note(row);
            Frames hint = encoder.apply(row);
            // A hint that finds no room is not needed: the viewer has older ones to act on first.
            connections.forEach(connection -> connection.execute(() -> connection.send(hint)));
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
    }
}
