package dev.parley.platforms;

import dev.parley.ingest.PlatformEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The result of an inbound request: the events to store, and the answer to the platform after they are stored.
 *
 * @param body null for an empty answer
 */
public record InboundResult(
        List<PlatformEvent> inbound, int status, @Nullable JsonNode body) {
    public InboundResult {
        inbound = List.copyOf(inbound);
    }

    public static InboundResult of(List<PlatformEvent> inbound) {
        return new InboundResult(inbound, 200, null);
    }

    public static InboundResult answering(JsonNode body) {
        return new InboundResult(List.of(), 200, body);
    }
}
