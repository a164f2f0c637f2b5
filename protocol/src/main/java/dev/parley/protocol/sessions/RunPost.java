package dev.parley.protocol.sessions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Events of Agno that are streamed into a session, and whose they are.
 *
 * @param epoch as the last answer gave it; absent in the first post
 * @param first the number of the first of them, counted from 0
 * @param events as Agno writes them; none are a sign of life
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
