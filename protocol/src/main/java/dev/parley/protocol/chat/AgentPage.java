package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The caller's agents. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AgentPage(List<AgentView> agents) {}
