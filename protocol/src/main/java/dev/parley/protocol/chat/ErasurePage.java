package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Erasures, the newest first. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ErasurePage(List<ErasureView> erasures, boolean hasMore) {}
