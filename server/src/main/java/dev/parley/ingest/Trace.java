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
        Verdict verdict,
        @Nullable Instant raisedAt,
        @Nullable String runState,
        List<ListedDelivery> deliveries) {
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
                verdict,
                raisedAt,
                runState,
                List.copyOf(found));
    }
}
