package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Repairs the library's requests to Gemini. The library writes each tool result as a turn of its own, but Gemini wants
 * all results in the one turn after the calls. Gemini also refuses calls without the <a
 * href="https://ai.google.dev/gemini-api/docs/thought-signatures">signature of their thoughts</a>, which calls of
 * earlier runs have lost.
 */
final class GeminiTurns {
    /** The signature that Gemini's documentation gives for calls whose own signature is unknown. */
    static final String NO_SIGNATURE = "skip_thought_signature_validator";

    private static final String SIGNATURE = "thoughtSignature";

    private GeminiTurns() {}

    /** The request with consecutive turns of one role joined, and with a signature at the first call of each turn. */
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

    /** Signs the first call of a turn without signatures; of parallel calls only the first has a signature. */
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
