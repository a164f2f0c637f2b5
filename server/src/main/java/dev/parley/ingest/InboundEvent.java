package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that an integration brought.
 *
 * @param bot whether a program said it
 * @param agent whose answer is told of first
 * @param dispatchConfig a JSON object as text
 */
record InboundEvent(
        UUID id,
        DeliveryKeys keys,
        Actor sender,
        boolean bot,
        ThreadId thread,
        Actor agent,
        @Nullable String dispatchType,
        @Nullable String dispatchConfig,
        Instant receivedAt) {

    /**
     * What became of one.
     *
     * @param event what the platform called the delivery
     */
    record Stored(
            UUID id,
            ThreadId thread,
            long seq,
            String messageId,
            Actor sender,
            boolean bot,
            @Nullable String event,
            Verdict verdict) {
        /** Whether these are of the same message, told once more: a delivery that is repeated is no twin of itself. */
        boolean isTwinOf(DeliveryKeys keys) {
            return event == null || !event.equals(keys.event());
        }
    }
}
