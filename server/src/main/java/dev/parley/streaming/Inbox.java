package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ActivePlace;
import dev.parley.threads.InboxRow;
import dev.parley.threads.ThreadActivity;
import dev.parley.threads.ThreadNews;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream over all threads of a caller: hints that something changed, at most one per thread and second. Its viewers
 * watch no threads; once a second a few queries find which of them are in threads that changed, here or on another node.
 */
public final class Inbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Activity is read again for so long: rows become visible some time after the moment they name. */
    private static final Duration OVERLAP = Duration.ofSeconds(2);
    /** Threads in one query; each gives at most as many rows as it has participants. */
    private static final int PIECE = 200;
    /** More than that are found by their activity. */
    private static final int MAX_REMOTE_WAKEUPS = 10_000;

    private final ThreadActivity activity;
    private final ConcurrentHashMap<Actor, Set<InboxViewer>> viewers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-inbox").daemon().factory());
    /** The threads that changed since the last tick, and from which entry on. */
    private Map<ThreadId, Long> changed = new HashMap<>();

    /** The threads that other nodes told of since the last tick. */
    private final Set<ThreadId> changedElsewhere = ConcurrentHashMap.newKeySet();

    private final RecentHints told = new RecentHints();
    private @Nullable Instant activityReadTo;

    public Inbox(ThreadActivity activity) {
        this.activity = activity;
        ticks.scheduleWithFixedDelay(this::tick, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes that threads changed. Called on the lane's thread, so it only notes. */
    public void committed(List<Event> events) {
        if (!viewers.isEmpty()) {
            synchronized (this) {
                for (Event event : events) {
                    if (event instanceof Event.Emitted) {
                        continue;
                    }
                    long since = event instanceof Event.Committed ? event.seq() : event.seq() + 1;
                    changed.merge(event.thread(), since, Math::min);
                }
            }
        }
    }

    /** Another node says that a thread changed: it is looked at with the next tick, and told of if that is so. */
    public void changedElsewhere(ThreadId thread) {
        if (!viewers.isEmpty() && changedElsewhere.size() < MAX_REMOTE_WAKEUPS) {
            changedElsewhere.add(thread);
        }
    }

    /** Adds a viewer, on its event loop; run the result when it is gone. */
    public Runnable add(Actor actor, SseConnection connection, Function<InboxRow, Frames> encoder) {
        InboxViewer viewer = new InboxViewer(connection, encoder);
        viewers.compute(actor, (key, others) -> {
            Set<InboxViewer> kept = others == null ? ConcurrentHashMap.newKeySet() : others;
            kept.add(viewer);
            return kept;
        });
        return () -> viewers.computeIfPresent(actor, (key, others) -> {
            others.remove(viewer);
            return others.isEmpty() ? null : others;
        });
    }

    private synchronized Map<ThreadId, Long> takeChanged() {
        Map<ThreadId, Long> taken = changed;
        changed = new HashMap<>();
        return taken;
    }

    private void tick() {
        // Taken before the viewers are looked at: what is noted for one that joins in between stays for the next tick.
        Map<ThreadId, Long> here = takeChanged();
        Set<ThreadId> elsewhere = takeElsewhere();
        if (viewers.isEmpty()) {
            activityReadTo = null;
            return;
        }
        try {
            List<ThreadNews> news = new ArrayList<>();
            here.forEach((thread, since) -> news.add(new ThreadNews(thread, since)));
            tell(news, row -> true);
            tell(unknown(elsewhere, here.keySet()), told::isNews);
            readActivity(here.keySet());
            told.nextTick();
        } catch (RuntimeException unavailable) {
            // Some may be told twice for that, which costs less than not being told.
            synchronized (this) {
                here.forEach((thread, since) -> changed.merge(thread, since, Math::min));
            }
            changedElsewhere.addAll(elsewhere);
            LOG.debug("Inbox hints are late: {}", unavailable.toString());
        }
    }

    /**
     * What other nodes wrote, and what was lost here: whatever was active and has not been told.
     *
     * @param already threads of which this tick has told already; news of them that came since are the next tick's
     */
    private void readActivity(Set<ThreadId> already) {
        Instant now = activity.now();
        // The first viewer joined since the last tick, and may have missed what other nodes wrote since then.
        Instant from = activityReadTo == null ? now.minus(OVERLAP).minus(INTERVAL) : activityReadTo;
        ActivePlace place = ActivePlace.before(from);
        for (List<ActivePlace> page = activity.activeAfter(place);
                !page.isEmpty();
                page = activity.activeAfter(place)) {
            tell(unknown(page.stream().map(ActivePlace::thread).toList(), already), told::isNews);
            place = page.getLast();
        }
        // Only now, so that a failure on the way has everything read again.
        activityReadTo = now.minus(OVERLAP);
    }

    private Set<ThreadId> takeElsewhere() {
        Set<ThreadId> taken = Set.copyOf(changedElsewhere);
        changedElsewhere.removeAll(taken);
        return taken;
    }

    /** News of threads of which it is not known what is new. */
    private static List<ThreadNews> unknown(Collection<ThreadId> threads, Set<ThreadId> already) {
        return threads.stream()
                .filter(thread -> !already.contains(thread))
                .map(thread -> new ThreadNews(thread, null))
                .toList();
    }

    private void tell(List<ThreadNews> news, Predicate<InboxRow> wanted) {
        List<ThreadNews> left = news;
        while (!left.isEmpty()) {
            List<ThreadNews> piece = left.subList(0, Math.min(PIECE, left.size()));
            left = left.subList(piece.size(), left.size());
            activity.inboxOf(piece, Set.copyOf(viewers.keySet())).stream()
                    .filter(wanted)
                    .collect(Collectors.groupingBy(InboxRow::actor))
                    .forEach(this::tell);
        }
    }

    private void tell(Actor actor, List<InboxRow> rows) {
        Set<InboxViewer> listening = viewers.get(actor);
        if (listening != null) {
            // From here on nothing is lost but by the end of a connection, whose viewer then lists its threads.
            rows.forEach(told::note);
            listening.forEach(viewer -> viewer.tell(rows));
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
    }
}
