package dev.parley.log;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The heads of threads as this node's last batches left them. A batch that is decided by remembered heads counts only
 * if none of these heads has moved since. The first statement of the batch checks this condition. A thread to which
 * other nodes write as well is not remembered for a while, since most of its batches would have to be decided twice.
 */
final class HeadMemory {
    private static final long MAX_THREADS = 200_000;
    private static final Duration SHARED = Duration.ofSeconds(5);

    private final Cache<ThreadId, Head> heads =
            Caffeine.newBuilder().maximumSize(MAX_THREADS).build();
    private final Cache<ThreadId, ThreadId> shared = Caffeine.newBuilder()
            .maximumSize(MAX_THREADS)
            .expireAfterWrite(SHARED)
            .build();

    /** The heads of all the threads; empty if one of the heads is unknown. */
    Optional<Map<ThreadId, Head>> of(Collection<ThreadId> threads) {
        Map<ThreadId, Head> found = new HashMap<>(threads.size() * 2);
        for (ThreadId thread : threads) {
            Head head = heads.getIfPresent(thread);
            if (head == null) {
                return Optional.empty();
            }
            found.put(thread, head);
        }
        return Optional.of(found);
    }

    /** Remembers heads after a commit of this node. */
    void remember(Collection<Head> committed) {
        for (Head head : committed) {
            if (shared.getIfPresent(head.thread()) == null) {
                heads.put(head.thread(), head);
            }
        }
    }

    /**
     * Compares locked heads with memory. If a head differs, another node writes to its thread, so the thread is not
     * remembered for a while.
     */
    void compare(Collection<Head> locked) {
        for (Head head : locked) {
            Head known = heads.getIfPresent(head.thread());
            if (known != null && !known.equals(head)) {
                heads.invalidate(head.thread());
                shared.put(head.thread(), head.thread());
            }
        }
    }
}
