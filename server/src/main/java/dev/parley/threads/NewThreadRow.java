package dev.parley.threads;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A thread about to be created.
 *
 * @param source the source of the thread; null if no integration created the thread
 * @param reuseKey the hash of the thread's set of participants if only one thread with this set may exist; otherwise
 *     null
 */
record NewThreadRow(
        ThreadId id,
        String type,
        @Nullable String title,
        String participationMode,
        Actor createdBy,
        Instant createdAt,
        @Nullable Digest reuseKey,
        @Nullable String source) {}
