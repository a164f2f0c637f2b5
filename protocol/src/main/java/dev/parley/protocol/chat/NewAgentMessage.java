package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message that an agent posts, with the seq up to which the agent had read. If the agent's owner posts the message,
 * {@code agent_id} names the agent.
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewAgentMessage(
        @Nullable String content,
        @Nullable String clientMessageId,
        @Nullable List<String> mentions,
        @Nullable ObjectNode metadata,
        @Nullable String replyTo,
        @Nullable Long baseSeq,
        @Nullable Long latestSeenSeq,
        @Nullable String onStale,
        @Nullable String runId,
        @Nullable String agentId) {
    /** A message without a base seq. */
    public static NewAgentMessage text(String content) {
        return new NewAgentMessage(content, null, null, null, null, null, null, null, null, null);
    }

    /** A message from an agent that had read up to {@code baseSeq}. */
    public static NewAgentMessage after(long baseSeq, String content) {
        return new NewAgentMessage(content, null, null, null, null, baseSeq, null, null, null, null);
    }

    /** The same message, which the server refuses if other senders have posted since its base seq. */
    public NewAgentMessage unlessStale() {
        return new NewAgentMessage(
                content,
                clientMessageId,
                mentions,
                metadata,
                replyTo,
                baseSeq,
                latestSeenSeq,
                "reject",
                runId,
                agentId);
    }

    /** The same message with a key, which makes a repeated post safe. */
    public NewAgentMessage keyed(String key) {
        return new NewAgentMessage(
                content, key, mentions, metadata, replyTo, baseSeq, latestSeenSeq, onStale, runId, agentId);
    }

    /** The same message, posted by the owner of this agent. */
    public NewAgentMessage by(Actor agent) {
        return new NewAgentMessage(
                content,
                clientMessageId,
                mentions,
                metadata,
                replyTo,
                baseSeq,
                latestSeenSeq,
                onStale,
                runId,
                agent.value());
    }
}
