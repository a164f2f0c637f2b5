package dev.parley.streaming;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.concurrent.ConcurrentHashMap;

/** How many streams one actor has open on this node, and how many are too many. */
public final class StreamQuota {
    private final int limit;
    private final ConcurrentHashMap<Actor, Integer> open = new ConcurrentHashMap<>();

    public StreamQuota(int limit) {
        this.limit = limit;
    }

    /** Takes a place; running the result gives it back. */
    public Runnable take(Actor actor) {
        open.merge(actor, 1, (count, one) -> {
            if (count >= limit) {
                throw new ProblemException(
                        Problem.TOO_MANY_STREAMS, "You have " + limit + " open streams; close one first.");
            }
            return count + one;
        });
        return () -> open.computeIfPresent(actor, (key, count) -> count == 1 ? null : count - 1);
    }
}
