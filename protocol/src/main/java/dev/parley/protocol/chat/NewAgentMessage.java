package dev.parley.protocol.chat;

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
        @Nullable String agentId) {}
