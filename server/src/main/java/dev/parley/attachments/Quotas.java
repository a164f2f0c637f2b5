package dev.parley.attachments;

import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The limits of one owner's objects and bytes. */
final class Quotas {
    private Quotas() {}

    /** Refuses an excess early, before any bytes are stored; two concurrent callers may both pass. */
    static void requireRoom(Handle handle, Actor owner, long objects, long bytes, Limits.Objects limits) {
        require(ObjectStore.usage(handle, owner), objects, bytes, limits);
    }

    /** Locks the owner's usage and counts a change of it; refuses an excess. */
    static void count(Handle handle, Actor owner, long objects, long bytes, Limits.Objects limits) {
        require(ObjectStore.lockUsage(handle, owner), objects, bytes, limits);
        ObjectStore.count(handle, owner, objects, bytes);
    }

    /** A decrease always passes, even above a limit that was lowered. */
    private static void require(ObjectStore.Usage usage, long objects, long bytes, Limits.Objects limits) {
        if (objects > 0 && usage.objects() + objects > limits.owned()
                || bytes > 0 && usage.bytes() + bytes > limits.ownedBytes()) {
            throw new ProblemException(
                    Problem.QUOTA_EXCEEDED,
                    "The caller's storage is full: the limits are " + limits.owned() + " objects and "
                            + limits.ownedBytes() + " bytes. Remove objects that are attached to no message.",
                    List.of(),
                    Map.of("limit_objects", limits.owned(), "limit_bytes", limits.ownedBytes()));
        }
    }
}
