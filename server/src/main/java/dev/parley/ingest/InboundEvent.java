package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that an integration brought.
 *
 * @param agent whose answer is told of first
 * @param dispatchConfig a JSON object as text
 */
record InboundEvent(
        UUID id,
        DeliveryKeys keys,
        Actor sender,
        ThreadId thread,
        Actor agent,
        @Nullable String dispatchType,
        @Nullable String dispatchConfig,
        Instant receivedAt) {

    /** What became of one. */
    record Stored(UUID id, ThreadId thread, long seq, String messageId, Actor sender, Verdict verdict) {}
}
