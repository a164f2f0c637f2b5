package dev.parley.protocol.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Agno events that are streamed into a session, and their agent.
 *
 * @param epoch the epoch from the last answer; absent in the first post
 * @param first the number of the first event, counted from 0
 * @param events the events as Agno writes them; an empty list is a heartbeat
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RunPost(
        @Nullable Integer epoch,
        @Nullable Long first,
        @Nullable List<JsonNode> events,
        @Nullable String agentId,
        @Nullable String agentName,
        @Nullable String teamName,
        @Nullable String parentRunId) {}
