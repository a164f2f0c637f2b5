package dev.parley.ingest;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that an integration brought.
 *
 * @param bot whether a program said it
 * @param agent whose answer is told of first
 * @param dispatchConfig a JSON object as text
 * @param silence why nobody answers it, if that was decided before it came to a thread
 */
record InboundEvent(
        UUID id,
        InboundKeys keys,
        Actor sender,
        boolean bot,
        ThreadId thread,
        Actor agent,
        @Nullable String dispatchType,
        @Nullable String dispatchConfig,
        @Nullable String silence,
        Instant receivedAt) {
    /** What was decided about it. */
    Verdict verdict(List<Engagement> engagement) {
        Verdict verdict = Verdict.of(engagement, agent);
        return silence == null || verdict.run() ? verdict : new Verdict(false, silence, null);
    }

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
        boolean isTwinOf(InboundKeys keys) {
            return event == null || !event.equals(keys.event());
        }
    }
}
