package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * One event of a thread, in the same form for polls, SSE and webhooks.
 *
 * @param shouldRespond true if the agent that receives the event should answer, as decided at the commit; null for
 *     receivers that are no agents
 * @param engagement the decisions about all agents of the thread; null if the thread has no agent, or the event is no
 *     message
 * @param eventId the SSE id and the cursor: {@code 12} for an entry, {@code 12-457} for an event between entries
 * @param runId the run of a {@code run_updated}; only this type has {@code runId}, {@code agent} and {@code state}
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record EventEnvelope(
        String eventId,
        ThreadId threadId,
        long threadSeq,
        String eventType,
        @Nullable Actor senderId,
        @Nullable String role,
        @Nullable String content,
        Instant createdAt,
        @Nullable ObjectNode metadata,
        List<Actor> mentions,
        @Nullable String messageId,
        @Nullable String clientMessageId,
        @Nullable Boolean shouldRespond,
        @Nullable List<Engagement> engagement,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String runId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Actor agent,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String state) {}
