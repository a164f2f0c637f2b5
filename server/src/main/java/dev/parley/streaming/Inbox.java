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
 * The inboxes of this node's viewers. An inbox is one stream over all threads of a caller: hints that a thread changed,
 * at most one per thread and second. Viewers of an inbox watch no threads. Instead, once a second, a few queries find
 * the viewers of the threads that changed on this node and on other nodes.
 */
public final class Inbox implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** The overlap of two readings of activity, because rows become visible some time after their timestamp. */
    private static final Duration OVERLAP = Duration.ofSeconds(2);
    /** The number of threads in one query. A query returns at most one row per thread and participant. */
    private static final int PIECE = 200;
    /** The limit of recorded threads that changed on other nodes. Further threads are found by their activity. */
    private static final int MAX_REMOTE_WAKEUPS = 10_000;

    private final ThreadActivity activity;
    private final ConcurrentHashMap<Actor, Set<InboxViewer>> viewers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-inbox").daemon().factory());
    /** The threads that changed on this node since the last tick, each with its first new entry. */
    private Map<ThreadId, Long> changed = new HashMap<>();

    /** The threads that changed on other nodes since the last tick. */
    private final Set<ThreadId> changedElsewhere = ConcurrentHashMap.newKeySet();

    private final RecentHints recentHints = new RecentHints();
    private @Nullable Instant activityReadTo;

    public Inbox(ThreadActivity activity) {
        this.activity = activity;
        ticks.scheduleWithFixedDelay(this::tick, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Records changed threads, and does nothing else, because it is called on the lane's thread. */
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

    /**
     * Records a thread that has changed according to another node. The next tick checks the thread, and sends hints if
     * it has changed.
     */
    public void changedElsewhere(ThreadId thread) {
        if (!viewers.isEmpty() && changedElsewhere.size() < MAX_REMOTE_WAKEUPS) {
            changedElsewhere.add(thread);
        }
    }

    /** Adds a viewer. Called on the viewer's event loop. The caller runs the result when the viewer is gone. */
    public Runnable add(Actor actor, SseConnection connection, Function<InboxRow, Frames> encoder) {
        InboxViewer viewer = new InboxViewer(connection, encoder);
        viewers.compute(actor, (key, others) -> {
            Set<InboxViewer> joined = others == null ? ConcurrentHashMap.newKeySet() : others;
            joined.add(viewer);
            return joined;
        });
        return () -> viewers.computeIfPresent(actor, (key, others) -> {
            others.remove(viewer);
            return others.isEmpty() ? null : others;
        });
    }

    private synchronized Map<ThreadId, Long> takeChanged() {
        Map<ThreadId, Long> removed = changed;
        changed = new HashMap<>();
        return removed;
    }

    private void tick() {
        // The changes are taken before the viewers are read, so that changes for a viewer that joins in between stay
        // for the next tick.
        Map<ThreadId, Long> changes = takeChanged();
        Set<ThreadId> elsewhere = takeElsewhere();
        if (viewers.isEmpty()) {
            activityReadTo = null;
            return;
        }
        try {
            List<ThreadNews> news = new ArrayList<>();
            changes.forEach((thread, since) -> news.add(new ThreadNews(thread, since)));
            tell(news, row -> true);
            tell(newsExcept(elsewhere, changes.keySet()), recentHints::isNews);
            readActivity(changes.keySet());
            recentHints.nextTick();
        } catch (RuntimeException unavailable) {
            // Some viewers may get a hint twice, which costs less than a lost hint.
            synchronized (this) {
                changes.forEach((thread, since) -> changed.merge(thread, since, Math::min));
            }
            changedElsewhere.addAll(elsewhere);
            LOG.debug("Could not send inbox hints; retrying on the next tick: {}", unavailable.toString());
        }
    }

    /**
     * Finds changes of other nodes and lost changes of this node. Looks at every active thread without a hint in this
     * tick.
     *
     * @param hinted the threads with a hint in this tick; their later news waits for the next tick
     */
    private void readActivity(Set<ThreadId> hinted) {
        Instant now = activity.now();
        // Without an earlier reading, the first viewer has joined since the last tick, and may have missed writes of
        // other nodes.
        Instant from = activityReadTo == null ? now.minus(OVERLAP).minus(INTERVAL) : activityReadTo;
        ActivePlace position = ActivePlace.before(from);
        for (List<ActivePlace> page = activity.activeAfter(position);
                !page.isEmpty();
                page = activity.activeAfter(position)) {
            tell(newsExcept(page.stream().map(ActivePlace::thread).toList(), hinted), recentHints::isNews);
            position = page.getLast();
        }
        // This is set at the end, so that everything is read again after a failure.
        activityReadTo = now.minus(OVERLAP);
    }

    private Set<ThreadId> takeElsewhere() {
        Set<ThreadId> removed = Set.copyOf(changedElsewhere);
        changedElsewhere.removeAll(removed);
        return removed;
    }

    /** The news of threads whose new entries are not known yet. */
    private static List<ThreadNews> newsExcept(Collection<ThreadId> threads, Set<ThreadId> hinted) {
        return threads.stream()
                .filter(thread -> !hinted.contains(thread))
                .map(thread -> new ThreadNews(thread, null))
                .toList();
    }

    private void tell(List<ThreadNews> news, Predicate<InboxRow> accepted) {
        List<ThreadNews> remaining = news;
        while (!remaining.isEmpty()) {
            List<ThreadNews> piece = remaining.subList(0, Math.min(PIECE, remaining.size()));
            remaining = remaining.subList(piece.size(), remaining.size());
            activity.inboxOf(piece, Set.copyOf(viewers.keySet())).stream()
                    .filter(accepted)
                    .collect(Collectors.groupingBy(InboxRow::actor))
                    .forEach(this::tell);
        }
    }

    private void tell(Actor actor, List<InboxRow> rows) {
        Set<InboxViewer> listening = viewers.get(actor);
        if (listening != null) {
            // From here on a hint is lost only together with its connection. The viewer then lists its threads anew.
            rows.forEach(recentHints::note);
            listening.forEach(viewer -> viewer.tell(rows));
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
    }
}
