package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A participant of a thread, with capabilities and read marker. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Participant(
        Actor senderId,
        String participantKind,
        String displayName,
        List<String> capabilities,
        @Nullable String participationMode,
        long lastReadSeq) {}
