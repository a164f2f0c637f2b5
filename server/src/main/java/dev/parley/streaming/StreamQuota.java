package dev.parley.streaming;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the open streams of each actor on this node, and refuses more than the limit. */
public final class StreamQuota {
    private final int limit;
    private final ConcurrentHashMap<Actor, Integer> open = new ConcurrentHashMap<>();

    public StreamQuota(int limit) {
        this.limit = limit;
    }

    /** Takes a slot; running the result gives it back. */
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
