package dev.parley.testkit.models;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What Ollama refuses in a request. */
public final class OllamaRules {
    private OllamaRules() {}

    public static List<String> violations(JsonNode body) {
        return List.of();
    }
}
