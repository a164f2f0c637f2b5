package dev.parley.attachments;

import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** How much one owner may keep. */
final class Quotas {
    private Quotas() {}

    /** Refuses early what would be too much, before any bytes are stored; two who come at once may both pass. */
    static void requireRoom(Handle handle, Actor owner, long objects, long bytes, Limits.Objects limits) {
        require(ObjectStore.usage(handle, owner), objects, bytes, limits);
    }

    /** Counts a change of what somebody keeps, after all who came before; refuses one that is too much. */
    static void count(Handle handle, Actor owner, long objects, long bytes, Limits.Objects limits) {
        require(ObjectStore.lockUsage(handle, owner), objects, bytes, limits);
        ObjectStore.count(handle, owner, objects, bytes);
    }

    /** Less is always possible, also for one who keeps more than a limit that was lowered. */
    private static void require(ObjectStore.Usage usage, long objects, long bytes, Limits.Objects limits) {
        if (objects > 0 && usage.objects() + objects > limits.owned()
                || bytes > 0 && usage.bytes() + bytes > limits.ownedBytes()) {
            throw new ProblemException(
                    Problem.QUOTA_EXCEEDED,
                    "You keep as much as you may: " + limits.owned() + " objects, " + limits.ownedBytes()
                            + " bytes in all. Remove some that hang on no message.",
                    List.of(),
                    Map.of("limit_objects", limits.owned(), "limit_bytes", limits.ownedBytes()));
        }
    }
}
