package dev.parley.testkit.models;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What Gemini refuses in a request. */
public final class GeminiRules {
    private GeminiRules() {}

    public static List<String> violations(JsonNode body) {
        return List.of();
    }
}
