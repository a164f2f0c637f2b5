package dev.parley.protocol.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as an integration brings it.
 *
 * @param message what the sender typed, and nothing else
 * @param botId the agent that it is for
 * @param clientId stands for the channel where {@code msg_metadata} names none
 * @param sessionId the thread that it belongs to, by its id
 * @param msgMetadata who said it, where, and what else the platform tells
 * @param fileMetadata files that the platform keeps
 * @param dispatchConfig where an answer should go; no secrets
 * @param passive store it, and let nobody answer
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IngestChat(
        String message,
        @Nullable String botId,
        @Nullable String clientId,
        @Nullable String sessionId,
        ObjectNode msgMetadata,
        @Nullable List<IngestAttachment> attachments,
        @Nullable List<ObjectNode> fileMetadata,
        @Nullable String dispatchType,
        @Nullable ObjectNode dispatchConfig,
        @Nullable Boolean passive) {
    /** A text with what is known about it. */
    public static IngestChat of(String message, ObjectNode msgMetadata) {
        return new IngestChat(message, null, null, null, msgMetadata, null, null, null, null, null);
    }
}
