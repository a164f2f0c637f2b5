package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries that one reader of one thread saw, in stretches. A stretch begins when the reader opens or resumes a
 * stream, or requests a page or a poll. It contains the entries received after that.
 */
public final class ReaderNotes {
    /** The cursor of a stretch that was opened without a cursor. Such a stretch may begin at any seq. */
    static final long LIVE = -1;

    /** One stretch: the cursor of the request, and the entries received. */
    record Stretch(long after, List<Seen> seen) {}

    private final String name;
    private final ThreadId thread;
    private final List<Stretch> stretches = new ArrayList<>();
    private boolean complete;

    ReaderNotes(String name, ThreadId thread) {
        this.name = name;
        this.thread = thread;
    }

    /** Notes that a stream was opened or resumed after a seq; a cut needs no note. */
    public synchronized void resumed(long afterSeq) {
        stretches.add(new Stretch(afterSeq, new ArrayList<>()));
    }

    /** Notes that a stream was opened without a cursor. */
    void resumedLive() {
        resumed(LIVE);
    }

    public synchronized void saw(Seen entry) {
        if (stretches.isEmpty()) {
            throw new IllegalStateException("The reader " + name + " saw something before it began to read");
        }
        stretches.getLast().seen().add(entry);
    }

    /** Notes a page or a poll after a seq as one stretch. */
    public synchronized void page(long afterSeq, List<Seen> entries) {
        stretches.add(new Stretch(afterSeq, List.copyOf(entries)));
    }

    /**
     * Notes that the reader followed the thread to its end. Entries of the log after the last stretch then count as a
     * gap.
     */
    public synchronized void followedToTheEnd() {
        complete = true;
    }

    String name() {
        return name;
    }

    ThreadId thread() {
        return thread;
    }

    synchronized List<Stretch> stretches() {
        return stretches.stream()
                .map(stretch -> new Stretch(stretch.after(), List.copyOf(stretch.seen())))
                .toList();
    }

    synchronized boolean complete() {
        return complete;
    }
}
