package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** A message that a client posts. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewMessage(
        @Nullable String content,
        @Nullable String clientMessageId,
        @Nullable List<String> mentions,
        @Nullable ObjectNode metadata,
        @Nullable String replyTo) {
    public static NewMessage text(String content) {
        return new NewMessage(content, null, null, null, null);
    }

    public static NewMessage keyed(String content, String clientMessageId) {
        return new NewMessage(content, clientMessageId, null, null, null);
    }
}
