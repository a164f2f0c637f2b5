package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A thread about to be made. */
record NewThreadRow(
        ThreadId id,
        String type,
        @Nullable String title,
        String participationMode,
        Actor createdBy,
        Instant createdAt) {}
