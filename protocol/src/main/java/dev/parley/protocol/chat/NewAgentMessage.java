package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** What an agent posts: a message to be, and what the agent had read when it wrote it. A user who owns the agent names it by agent_id. */
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
    /** From an agent that does not say what it had read. */
    public static NewAgentMessage text(String content) {
        return new NewAgentMessage(content, null, null, null, null, null, null, null, null, null);
    }

    /** From an agent that had read up to a seq when it wrote it. */
    public static NewAgentMessage after(long baseSeq, String content) {
        return new NewAgentMessage(content, null, null, null, null, baseSeq, null, null, null, null);
    }

    /** The same, to be refused if others have spoken since. */
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

    /** The same, under a key that makes repeating it safe. */
    public NewAgentMessage keyed(String key) {
        return new NewAgentMessage(
                content, key, mentions, metadata, replyTo, baseSeq, latestSeenSeq, onStale, runId, agentId);
    }

    /** The same, said by a user for an agent of its own. */
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
