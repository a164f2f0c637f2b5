package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.List;

/**
 * What one reader of one thread saw, stretch by stretch. A stretch begins where a stream is opened or resumed, or a page
 * or poll is asked for, and holds what came from there on.
 */
public final class ReaderNotes {
    /** Begun without a cursor: whatever comes first is right. */
    static final long LIVE = -1;

    /** One stretch: what was asked for, and what came. */
    record Stretch(long after, List<Seen> seen) {}

    private final String name;
    private final ThreadId thread;
    private final List<Stretch> stretches = new ArrayList<>();
    private boolean complete;

    ReaderNotes(String name, ThreadId thread) {
        this.name = name;
        this.thread = thread;
    }

    /** A stream was opened or resumed after a seq; a cut needs no note of its own. */
    public synchronized void resumed(long afterSeq) {
        stretches.add(new Stretch(afterSeq, new ArrayList<>()));
    }

    /** A stream was opened without a cursor. */
    public void resumedLive() {
        resumed(LIVE);
    }

    public synchronized void saw(Seen entry) {
        if (stretches.isEmpty()) {
            throw new IllegalStateException("The reader " + name + " saw something before it began to read");
        }
        stretches.getLast().seen().add(entry);
    }

    /** A page or a poll after a seq: one stretch at once. */
    public synchronized void page(long afterSeq, List<Seen> entries) {
        stretches.add(new Stretch(afterSeq, List.copyOf(entries)));
    }

    /** The reader claims that it followed to the very end, so what the log has beyond its last stretch is a gap. */
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
