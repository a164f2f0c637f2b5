package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Who shall join.
 *
 * @param capabilities what all of them may do; null for reading, sending and running
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewParticipants(
        @Nullable List<String> senderIds, @Nullable List<String> capabilities) {
    public NewParticipants(List<String> senderIds) {
        this(senderIds, null);
    }
}
