package dev.parley.protocol.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as an integration sends it.
 *
 * @param message the sender's text, and nothing else
 * @param botId the agent that should answer
 * @param clientId the channel, if {@code msg_metadata} names no channel
 * @param sessionId the id of the message's thread
 * @param msgMetadata the sender, the channel, and all other facts from the platform
 * @param fileMetadata files that the platform keeps
 * @param dispatchConfig the destination of the answer; no secrets
 * @param passive true to store the message without an agent's answer
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
    /** A text with its metadata. */
    public static IngestChat of(String message, ObjectNode msgMetadata) {
        return new IngestChat(message, null, null, null, msgMetadata, null, null, null, null, null);
    }
}
