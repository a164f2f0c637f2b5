package dev.parley.bench.prove;

import dev.parley.bench.rig.Deadline;
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
import java.util.function.LongSupplier;

/**
 * Follows one thread from its first entry to its last, in one of three ways. The reader reads in stretches. A cut
 * connection or the reader itself ends a stretch, and the next stretch begins after the last entry seen, at another
 * entrance.
 */
final class Reader implements Runnable {
    /** The way of reading. */
    enum Way {
        STREAM,
        POLL,
        PAGES
    }

    /** The value of the end while the end is unknown. */
    static final long OPEN = Long.MAX_VALUE;

    private static final String COMMITTED = "message_committed";
    private static final int MAX_PAGE = 200;

    private final Member member;
    private final Way way;
    private final ThreadId thread;
    private final ReaderNotes notes;
    private final LongSupplier end;
    private volatile boolean givenUp;
    private long last;

    /** @param end the seq of the last entry, or {@link #OPEN} while writers are at work */
    Reader(Member member, Way way, ThreadId thread, ReaderNotes notes, LongSupplier end) {
        this.member = member;
        this.way = way;
        this.thread = thread;
        this.notes = notes;
        this.end = end;
    }

    /** Stops the reader before it has reached the end. */
    void giveUp() {
        givenUp = true;
    }

    @Override
    public void run() {
        member.work(() -> {
            while (last < end.getAsLong() && !givenUp) {
                if (!stretch()) {
                    member.pause(20, 100);
                }
                member.moveOn();
            }
            if (last < end.getAsLong()) {
                member.incidents()
                        .stuck("reader " + member + " of thread " + thread + " stands still at seq " + last + " of "
                                + end.getAsLong());
            } else {
                notes.followedToTheEnd();
            }
        });
    }

    /** Reads for a while; false on failure. */
    private boolean stretch() throws InterruptedException {
        try {
            switch (way) {
                case STREAM -> stream();
                case POLL -> poll();
                case PAGES -> pages();
            }
            return true;
        } catch (ParleyUnreachable cut) {
            member.incidents().count("reader cut off");
        } catch (ParleyProblem problem) {
            member.incidents().refused("reader " + member + " after seq " + last, problem);
        } catch (StreamBroken broken) {
            member.incidents().unexpected("reader " + member + ": " + broken.getMessage());
        }
        return false;
    }

    private void stream() {
        EventStream stream = client().open(Cursor.after(last));
        try (stream) {
            notes.resumed(last);
            Deadline until = Deadline.in(Duration.ofMillis(100 + member.random().nextInt(3_000)));
            while (!until.isOver() && last < end.getAsLong() && !givenUp) {
                Optional<EventEnvelope> event = stream.next(Duration.ofMillis(200));
                if (event.isPresent() && event.get().eventType().equals(COMMITTED)) {
                    notes.saw(Seen.of(event.get()));
                    last = event.get().threadSeq();
                }
            }
        } finally {
            if (stream.violations() > 0) {
                // The client hides repeats and gaps from the reader, but counts them.
                member.incidents().unexpected("reader " + member + " was sent a repeat or a gap near seq " + last);
            }
        }
    }

    private void poll() {
        Duration wait = Duration.ofSeconds(member.random().nextInt(2));
        List<Seen> seen = client().poll(Cursor.after(last), size(), wait).events().stream()
                .filter(event -> event.eventType().equals(COMMITTED))
                .map(Seen::of)
                .toList();
        take(seen);
    }

    private void pages() throws InterruptedException {
        if (member.random().nextInt(4) == 0) {
            List<Message> latest = client().latestMessages(size()).messages();
            if (!latest.isEmpty()) {
                notes.page(
                        latest.getFirst().threadSeq() - 1,
                        latest.stream().map(Seen::of).toList());
            }
        }
        take(client().messagesAfter(last, size()).messages().stream()
                .map(Seen::of)
                .toList());
        member.pause(0, 50);
    }

    private void take(List<Seen> seen) {
        notes.page(last, seen);
        if (!seen.isEmpty()) {
            last = seen.getLast().seq();
        }
    }

    private ThreadClient client() {
        return member.client().thread(thread);
    }

    private int size() {
        return 1 + member.random().nextInt(MAX_PAGE);
    }
}
