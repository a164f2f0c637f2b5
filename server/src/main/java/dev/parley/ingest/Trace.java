package dev.parley.ingest;

import dev.parley.delivery.ListedDelivery;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All stored facts about one inbound event.
 *
 * @param channel empty for a sender's own conversation
 * @param linkedUser the user whom the sender is linked to; null for none
 * @param history the result of reading the messages before it; null if none were missing
 * @param raisedAt the time of a twin that caused the answer; null for none
 * @param runState the state of the answering run; null if no run of the server answers
 * @param deliveries the deliveries of the answer, part by part
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
     * The result of reading the earlier messages that a platform has and that the inbound message's thread lacks.
     *
     * @param from the platform, or {@code log}
     * @param messages number of messages in {@code thread_context}
     * @param leftOut number of messages that were left out of {@code thread_context}
     * @param problem the reason for missing messages; null if none are missing
     */
    public record History(
            String from,
            int messages,
            int leftOut,
            @Nullable String problem) {}

    Trace withDeliveries(List<ListedDelivery> listed) {
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
                List.copyOf(listed));
    }
}
