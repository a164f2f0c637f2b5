package dev.parley.contexts;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The stored context of one request of a run.
 *
 * @param requests the number of the run's requests
 * @param tools the tools offered to the model beside the messages
 * @param hash the hash, in hex, of the bytes sent to the provider, or of the messages if no bytes were sent
 * @param sentBytes the number of bytes sent to the provider; null if no bytes were sent
 */
public record StoredContext(
        Actor agent,
        int version,
        int request,
        int requests,
        @Nullable String provider,
        @Nullable String model,
        List<JsonNode> messages,
        List<JsonNode> tools,
        int estimatedTokens,
        String hash,
        @Nullable Long sentBytes,
        Instant createdAt) {
    public StoredContext {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
