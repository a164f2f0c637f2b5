package dev.parley.ingest;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An inbound message's row.
 *
 * @param bot true if a program wrote the message
 * @param agent the agent whose engagement the verdict shows first
 * @param dispatchConfig a JSON object as text
 * @param silence the reason for which no agent answers, if it was decided before the append; null for none
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
    /** The verdict by the engagement of the thread's agents. */
    Verdict verdict(List<Engagement> engagement) {
        Verdict verdict = Verdict.of(engagement, agent);
        return silence == null || verdict.run() ? verdict : new Verdict(false, silence, null);
    }

    /**
     * A stored inbound event with its outcome.
     *
     * @param event the platform's id of the event
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
        /** True if the keys belong to another report of the message; a repetition of the same event is no twin. */
        boolean isTwinOf(InboundKeys keys) {
            return event == null || !event.equals(keys.event());
        }
    }
}
