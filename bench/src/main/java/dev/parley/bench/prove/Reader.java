package dev.parley.bench.prove;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.Message;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.EventStream;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import dev.parley.sdk.StreamBroken;
import dev.parley.sdk.ThreadClient;
import dev.parley.testkit.history.ReaderNotes;
import dev.parley.testkit.history.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Follows one thread from its first entry to its last by one of three ways, in stretches: each begins after what was
 * seen last and at another entrance, whether the connection was cut or the reader itself went away.
 */
final class Reader implements Runnable {
    /** The way of reading. */
    enum Way {
        STREAM,
        POLL,
        PAGES
    }

    /** What the end is while nobody knows it yet. */
    static final long OPEN = Long.MAX_VALUE;

    private static final String COMMITTED = "message_committed";
    private static final int MAX_PAGE = 200;

    private final String name;
    private final Way way;
    private final Route route;
    private final ThreadId thread;
    private final ReaderNotes notes;
    private final SplittableRandom random;
    private final Incidents incidents;
    private final LongSupplier end;
    private volatile boolean givenUp;
    private long last;

    /** @param end the seq of the last entry there will be, {@link #OPEN} while writers are at work */
    Reader(
            String name,
            Way way,
            Route route,
            ThreadId thread,
            ReaderNotes notes,
            SplittableRandom random,
            Incidents incidents,
            LongSupplier end) {
        this.name = name;
        this.way = way;
        this.route = route;
        this.thread = thread;
        this.notes = notes;
        this.random = random;
        this.incidents = incidents;
        this.end = end;
    }

    /** Ends it before it has reached the end. */
    void giveUp() {
        givenUp = true;
    }

    @Override
    public void run() {
        try {
            while (last < end.getAsLong() && !givenUp) {
                if (!stretch()) {
                    Thread.sleep(20 + random.nextInt(100));
                }
                route.moveOn();
            }
            if (last < end.getAsLong()) {
                incidents.stuck("reader " + name + " of thread " + thread + " stands still at seq " + last + " of "
                        + end.getAsLong());
            } else {
                notes.followedToTheEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            incidents.unexpected("reader " + name + " broke off: " + bug);
        }
    }

    /** Reads for a while; false if that failed. */
    private boolean stretch() throws InterruptedException {
        try {
            switch (way) {
                case STREAM -> stream();
                case POLL -> poll();
                case PAGES -> pages();
            }
            return true;
        } catch (ParleyUnreachable cut) {
            incidents.met("reader cut off");
        } catch (ParleyProblem problem) {
            incidents.met(problem.slug());
            if (!problem.retryable()) {
                incidents.unexpected("reader " + name + " was refused after seq " + last + ": " + problem.getMessage());
            }
        } catch (StreamBroken broken) {
            incidents.unexpected("reader " + name + ": " + broken.getMessage());
        }
        return false;
    }

    private void stream() {
        EventStream stream = here().open(Cursor.after(last));
        try (stream) {
            notes.resumed(last);
            long until = System.nanoTime()
                    + Duration.ofMillis(100 + random.nextInt(3_000)).toNanos();
            while (System.nanoTime() - until < 0 && last < end.getAsLong() && !givenUp) {
                Optional<EventEnvelope> event = stream.next(Duration.ofMillis(200));
                if (event.isPresent() && event.get().eventType().equals(COMMITTED)) {
                    notes.saw(Seen.of(event.get()));
                    last = event.get().threadSeq();
                }
            }
        } finally {
            if (stream.violations() > 0) {
                // The client hides what was repeated or left out, and counts it.
                incidents.unexpected("reader " + name + " was sent a repeat or a gap near seq " + last);
            }
        }
    }

    private void poll() {
        Duration wait = Duration.ofSeconds(random.nextInt(2));
        List<Seen> seen = here().poll(Cursor.after(last), size(), wait).events().stream()
                .filter(event -> event.eventType().equals(COMMITTED))
                .map(Seen::of)
                .toList();
        take(seen);
    }

    private void pages() throws InterruptedException {
        if (random.nextInt(4) == 0) {
            List<Message> latest = here().latestMessages(size()).messages();
            if (!latest.isEmpty()) {
                notes.page(
                        latest.getFirst().threadSeq() - 1,
                        latest.stream().map(Seen::of).toList());
            }
        }
        take(here().messagesAfter(last, size()).messages().stream()
                .map(Seen::of)
                .toList());
        Thread.sleep(random.nextInt(50));
    }

    private void take(List<Seen> seen) {
        notes.page(last, seen);
        if (!seen.isEmpty()) {
            last = seen.getLast().seq();
        }
    }

    private ThreadClient here() {
        return route.here().thread(thread);
    }

    private int size() {
        return 1 + random.nextInt(MAX_PAGE);
    }
}
