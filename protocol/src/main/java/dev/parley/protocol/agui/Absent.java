package dev.parley.protocol.agui;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a JSON null in an optional member as absent. Written as null, the member would end the run at both clients. */
final class Absent {
    private Absent() {}

    static @Nullable JsonNode ifNull(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode() ? null : node;
    }
}
