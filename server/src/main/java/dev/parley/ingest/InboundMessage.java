package dev.parley.ingest;

import dev.parley.protocol.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message as an integration submits it.
 *
 * @param message the text as the sender typed it, byte for byte
 * @param botId the agent that the message is for; null if the integration names none
 * @param clientId the substitute for the channel if the platform names none
 * @param sessionId the id of the message's thread; null if the channel decides
 * @param metadata the sender, the channel, and other fields of the platform
 * @param fileMetadata descriptions of files on the platform, which the server never downloads
 * @param dispatchType the source to which answers go
 * @param dispatchConfig the target of answers
 * @param extras other fields of the request, stored with the message
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

    /** A file in a request. */
    public record File(
            byte[] bytes,
            @Nullable String mimeType,
            @Nullable String name) {}
}
