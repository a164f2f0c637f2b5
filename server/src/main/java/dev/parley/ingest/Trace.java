package dev.parley.ingest;

import dev.parley.delivery.ListedDelivery;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that became of one thing that was brought.
 *
 * @param channel empty for a sender's own conversation
 * @param linkedUser who the sender is known to be
 * @param history the reading of the messages before it; null if nothing was missing
 * @param raisedAt since when it is answered after all
 * @param runState null if there is no run of ours
 * @param deliveries what became of the answer, part by part
 */
public record Trace(
        UUID eventId,
        String source,
        String workspace,
        String channel,
        @Nullable String externalMessageId,
        @Nullable String externalEventId,
        Actor sender,
        @Nullable Actor linkedUser,
        boolean bot,
        Instant receivedAt,
        ThreadId thread,
        long seq,
        String messageId,
        @Nullable History history,
        Verdict verdict,
        @Nullable Instant raisedAt,
        @Nullable String runState,
        List<ListedDelivery> deliveries) {
    /**
     * The messages that a platform has before a delivered one, and that its thread lacks.
     *
     * @param from the platform, or {@code log}
     * @param messages number of messages in {@code thread_context}
     * @param leftOut number of messages that were left out of it
     * @param problem why messages are missing; null if none are
     */
    public record History(
            String from,
            int messages,
            int leftOut,
            @Nullable String problem) {}

    Trace with(List<ListedDelivery> found) {
        return new Trace(
                eventId,
                source,
                workspace,
                channel,
                externalMessageId,
                externalEventId,
                sender,
                linkedUser,
                bot,
                receivedAt,
                thread,
                seq,
                messageId,
                history,
                verdict,
                raisedAt,
                runState,
                List.copyOf(found));
    }
}
