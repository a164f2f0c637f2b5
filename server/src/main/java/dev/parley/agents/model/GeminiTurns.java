package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Mends what the library sends to Gemini: it writes each tool's result as a turn of its own, and Gemini refuses results
 * that do not stand together, behind the turn that made the calls.
 */
final class GeminiTurns {
    private GeminiTurns() {}

    /** The same request with turns of one role in a row made one. */
    static String joined(String body) {
        if (!body.contains("functionResponse")) {
            return body;
        }
        ObjectNode request = (ObjectNode) Json.MAPPER.readTree(body);
        List<JsonNode> joined = new ArrayList<>();
        for (JsonNode content : request.path("contents")) {
            if (!joined.isEmpty() && joined.getLast().path("role").equals(content.path("role"))) {
                ((ArrayNode) joined.getLast().path("parts"))
                        .addAll(content.path("parts").valueStream().toList());
            } else {
                joined.add(content);
            }
        }
        request.putArray("contents").addAll(joined);
        return request.toString();
    }
}
