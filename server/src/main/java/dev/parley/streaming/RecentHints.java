package dev.parley.streaming;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.InboxRow;
import java.util.HashMap;
import java.util.Map;

/**
 * The hints of the last seconds. Activity is read with some overlap, because rows become visible late. Without this
 * class, each of these readings would send a hint for the same change.
 */
final class RecentHints {
    private static final int TICKS_KEPT = 10;

    /** A thread of an actor. */
    private record ActorThread(Actor actor, ThreadId thread) {}

    /** The seq that a hint to an actor covered, and the tick at which the hint was noted. */
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
