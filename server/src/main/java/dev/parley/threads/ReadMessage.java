package dev.parley.threads;

import dev.parley.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message with its metadata, which is parsed only once. Instances are shared, so the metadata must not be changed.
 */
public record ReadMessage(RevisedMessage message, ObjectNode metadata) {
    public static ReadMessage of(RevisedMessage message) {
        String metadata = message.original().content().metadata();
        return new ReadMessage(
                message,
                metadata == null ? Json.MAPPER.createObjectNode() : (ObjectNode) Json.MAPPER.readTree(metadata));
    }

    public long seq() {
        return message.original().seq();
    }
}
