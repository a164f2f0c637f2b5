package dev.parley.streaming;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.InboxRow;
import java.util.HashMap;
import java.util.Map;

/**
 * What was hinted in the last seconds. Activity is read with some overlap, since rows become visible late; this keeps one
 * change from being told once per reading.
 */
final class RecentHints {
    private static final int TICKS_KEPT = 10;

    /** Somebody's thread. */
    private record ActorThread(Actor actor, ThreadId thread) {}

    /** How far a hint told somebody of a thread, and when. */
    private record Hint(long seq, long tick) {}

    private final Map<ActorThread, Hint> hints = new HashMap<>();
    private long tick;

    boolean isNews(InboxRow row) {
        Hint hint = hints.get(new ActorThread(row.actor(), row.thread()));
        return hint == null || hint.seq() < row.lastSeq();
    }

    void note(InboxRow row) {
        hints.put(new ActorThread(row.actor(), row.thread()), new Hint(row.lastSeq(), tick));
    }

    void nextTick() {
        tick++;
        hints.values().removeIf(hint -> hint.tick() < tick - TICKS_KEPT);
    }
}
