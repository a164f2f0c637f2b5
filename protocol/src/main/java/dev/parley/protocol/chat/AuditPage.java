package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Actions of operators, the newest first. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AuditPage(List<AuditAct> acts, boolean hasMore) {}
