package dev.parley.platforms;

import dev.parley.ingest.Inbound;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a delivery came to: what is stored, and what the platform is answered once it is.
 *
 * @param body null for an empty answer
 */
public record Received(
        List<Inbound> inbound, int status, @Nullable JsonNode body) {
    public Received {
        inbound = List.copyOf(inbound);
    }

    public static Received of(List<Inbound> inbound) {
        return new Received(inbound, 200, null);
    }

    public static Received answering(JsonNode body) {
        return new Received(List.of(), 200, body);
    }
}
