package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Mends what the library sends to Gemini: it writes each tool's result as a turn of its own, and Gemini refuses results
 * that do not stand together, behind the turn that made the calls. It also refuses calls without the signature of the
 * thoughts behind them, which those of earlier runs have lost.
 */
final class GeminiTurns {
    /** What Gemini's documentation has for calls whose signature is not known. */
    static final String NO_SIGNATURE = "skip_thought_signature_validator";

    private static final String SIGNATURE = "thoughtSignature";

    private GeminiTurns() {}

    /** The same request with turns of one role in a row made one, and a signature at the first call of each. */
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
        joined.forEach(GeminiTurns::sign);
        request.putArray("contents").addAll(joined);
        return request.toString();
    }

    /** Of calls side by side only the first is signed. */
    private static void sign(JsonNode content) {
        List<JsonNode> calls = content.path("parts")
                .valueStream()
                .filter(part -> part.hasNonNull("functionCall"))
                .toList();
        if (!calls.isEmpty() && calls.stream().noneMatch(call -> call.hasNonNull(SIGNATURE))) {
            ((ObjectNode) calls.getFirst()).put(SIGNATURE, NO_SIGNATURE);
        }
    }
}
