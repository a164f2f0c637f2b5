package dev.parley.protocol.agui;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A JSON null in an optional member means that it is absent; written as null it would end the run at both clients. */
final class Absent {
    private Absent() {}

    static @Nullable JsonNode ifNull(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode() ? null : node;
    }
}
