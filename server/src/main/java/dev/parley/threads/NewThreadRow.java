package dev.parley.threads;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A thread about to be created.
 *
 * @param source the integration that the thread comes from; null if it comes from none
 * @param reuseKey the hash of its set of people, if only one such thread may exist
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
