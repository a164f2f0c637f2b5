package dev.parley.threads;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;

/** A position in the order in which threads were active, by the database's time. */
public record ActivePlace(Instant at, ThreadId thread) {
    /** The position before every thread that was active at this time or later. */
    public static ActivePlace before(Instant at) {
        return new ActivePlace(at, new ThreadId(new UUID(0, 0)));
    }
}
