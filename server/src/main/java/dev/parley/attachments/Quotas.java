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

    /** Counts a change of what somebody keeps; refuses one that is too much. Less is always possible. */
    static void count(Handle handle, Actor owner, long objects, long bytes, Limits limits) {
        ObjectStore.Quota quota = new ObjectStore.Quota(limits.ownedObjects(), limits.ownedBytes());
        if (!ObjectStore.count(handle, owner, objects, bytes, quota)) {
            throw new ProblemException(
                    Problem.QUOTA_EXCEEDED,
                    "You keep as much as you may: " + quota.objects() + " objects, " + quota.bytes()
                            + " bytes in all. Remove some first.",
                    List.of(),
                    Map.of("limit_objects", quota.objects(), "limit_bytes", quota.bytes()));
        }
    }
}
