package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The live keys. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IntegrationKeyPage(List<IntegrationKeyView> keys) {}
