package dev.parley.ingest;

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

    /** A file in a message. */
    public record File(
            byte[] bytes,
            @Nullable String mimeType,
            @Nullable String name) {}
}
