package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Entries of the log in ascending seq. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record EntryPage(List<Entry> entries, boolean hasMore, long nextAfterSeq) {}
