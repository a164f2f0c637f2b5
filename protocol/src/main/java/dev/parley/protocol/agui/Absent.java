package dev.parley.protocol.agui;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a JSON null in an optional field as absent. AG-UI clients would end the run if they received the null. */
final class Absent {
    private Absent() {}

    static @Nullable JsonNode ifNull(@Nullable JsonNode node) {
        return node == null || node.isNull() || node.isMissingNode() ? null : node;
    }
}
