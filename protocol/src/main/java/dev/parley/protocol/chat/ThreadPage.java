package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page of threads, the most active first. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ThreadPage(List<ThreadView> threads, @Nullable String nextCursor) {}
