package dev.parley.streaming;

import dev.parley.log.EntryContent;
import dev.parley.log.Event;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.streaming.Watches.Watcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watchers of one thread. A virtual thread delivers the news, one item at a time and in order. It lives while there
 * is news.
 */
final class Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private static final int MAX_EVENTS = 256;
    /** The limit of the characters that wait for the watchers. A ring keeps about as much of a thread. */
    private static final long MAX_TEXT = 1024 * 1024;

    /** A wake-up in transit. */
    private record News(long position, List<Event> events) {
        long text() {
            return events.stream().mapToLong(Watch::text).sum();
        }
    }

    private final List<Watcher> watchers = new ArrayList<>();
    private final Deque<News> news = new ArrayDeque<>();
    private long waitingText;
    private boolean delivering;
    /** The position that all watchers have received, or will receive. */
    private long reached;
    /** The number of changes to the thread's facts, as of the last check; negative before the first check. */
    private long facts = -1;

    synchronized void add(Watcher watcher) {
        watchers.add(watcher);
        reached = 0;
    }

    /** The state of this thread as far as its watchers know it. */
    synchronized LogReader.HeadState state(ThreadId thread) {
        return new LogReader.HeadState(thread, reached, facts);
    }

    /** Records the number of changes to the thread's facts; true if the number differs from the last one. */
    synchronized boolean noteFacts(long now) {
        boolean changed = facts != now;
        facts = now;
        return changed;
    }

    /** Removes a watcher; true if none is left. */
    synchronized boolean remove(Watcher watcher) {
        watchers.remove(watcher);
        return watchers.isEmpty();
    }

    synchronized void wake(long position, List<Event> events) {
        if (position <= reached) {
            // The repair asks about every thread every second, and nearly always finds no news.
            return;
        }
        reached = position;
        // A hint carries only a position, so of two waiting hints only the farther one is kept.
        News last = news.peekLast();
        News next = new News(position, events);
        if (news.size() >= MAX_EVENTS || (!news.isEmpty() && waitingText + next.text() > MAX_TEXT)) {
            // Watchers that cannot keep up read the log instead.
            news.clear();
            waitingText = 0;
            news.addLast(new News(position, List.of()));
        } else if (events.isEmpty() && last != null && last.events().isEmpty()) {
            news.removeLast();
            news.addLast(new News(Math.max(position, last.position()), events));
        } else {
            news.addLast(next);
            waitingText += next.text();
        }
        if (!delivering) {
            delivering = true;
            Thread.startVirtualThread(this::deliver);
        }
    }

    private static long text(Event event) {
        return switch (event) {
            case Event.Committed committed -> {
                EntryContent content = committed.entry().content();
                yield content.text().length()
                        + (content.metadata() == null ? 0 : content.metadata().length());
            }
            case Event.Announced announced -> announced.payload().length();
            case Event.Emitted emitted ->
                emitted.lines().stream().mapToLong(line -> line.json().length()).sum();
        };
    }

    /** True if a watcher has still to receive news. */
    synchronized boolean isDelivering() {
        return delivering;
    }

    private void deliver() {
        for (News next = next(); next != null; next = next()) {
            for (Watcher watcher : current()) {
                try {
                    watcher.woken(next.position(), next.events());
                } catch (RuntimeException | Error failed) {
                    // The next wake-up or the repair reaches this watcher again. The other watchers must not miss their
                    // news.
                    LOG.warn("Could not serve a watcher; waking it again: {}", failed.toString());
                    tellAgain();
                }
            }
        }
    }

    private synchronized void tellAgain() {
        reached = 0;
    }

    private synchronized @Nullable News next() {
        News next = news.pollFirst();
        delivering = next != null;
        waitingText -= next == null ? 0 : next.text();
        return next;
    }

    private synchronized List<Watcher> current() {
        return List.copyOf(watchers);
    }
}
