package dev.parley.threads;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A thread about to be made.
 *
 * @param source the integration that it comes from, if it comes from one
 * @param reuseKey the hash of its set of people, if there shall be only one such thread
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
