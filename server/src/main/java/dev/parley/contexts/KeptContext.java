package dev.parley.contexts;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What one request of a run showed.
 *
 * @param requests how many requests the run has made
 * @param tools what the model was told of beside the messages
 * @param hash of the bytes that went to the provider, in hex; of the messages themselves where nothing went anywhere
 * @param sentBytes how many bytes those were; null if nothing went anywhere
 */
public record KeptContext(
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
    public KeptContext {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
