package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The participants to add to a thread.
 *
 * @param capabilities the capabilities of all added participants; null for reading, sending and running
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewParticipants(
        @Nullable List<String> senderIds, @Nullable List<String> capabilities) {
    public NewParticipants(List<String> senderIds) {
        this(senderIds, null);
    }
}
