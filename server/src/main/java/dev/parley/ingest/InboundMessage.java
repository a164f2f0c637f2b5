package dev.parley.ingest;

import dev.parley.protocol.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as an integration brings it.
 *
 * @param message what the sender typed, byte for byte
 * @param botId the agent that it is for, if the integration says so
 * @param clientId stands for the channel where the platform names none
 * @param sessionId the thread that it belongs to, by the thread's own id
 * @param metadata who said it, where, and what else the platform tells
 * @param fileMetadata files that the platform keeps; nobody here fetches them
 * @param dispatchType how an answer would be delivered
 * @param dispatchConfig where it would be delivered to
 * @param extras what came beside all this: kept with the message
 */
public record InboundMessage(
        String message,
        @Nullable String botId,
        @Nullable String clientId,
        @Nullable String sessionId,
        ObjectNode metadata,
        List<File> files,
        @Nullable ArrayNode fileMetadata,
        @Nullable String dispatchType,
        @Nullable ObjectNode dispatchConfig,
        boolean passive,
        ObjectNode extras) {
    public InboundMessage {
        files = List.copyOf(files);
    }

    /** A message of a chat platform, which knows neither threads nor agents. */
    public static InboundMessage ofPlatform(
            String text, ObjectNode metadata, @Nullable ArrayNode fileMetadata, boolean passive) {
        return new InboundMessage(
                text,
                null,
                null,
                null,
                metadata,
                List.of(),
                fileMetadata,
                null,
                null,
                passive,
                Json.MAPPER.createObjectNode());
    }

    /** A file in a message. */
    public record File(
            byte[] bytes,
            @Nullable String mimeType,
            @Nullable String name) {}
}
