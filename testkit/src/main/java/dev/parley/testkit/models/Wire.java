package dev.parley.testkit.models;

import java.util.List;

/** The providers whose wire formats are supported. */
public enum Wire {
    OPENAI(new OpenAiDialect(), "/v1"),
    ANTHROPIC(new AnthropicDialect(), "/v1"),
    // https://ai.google.dev/gemini-api/docs/api-versions: Gemini's SDK requests v1beta before version 3.0, and v1 since
    // then.
    GEMINI(new GeminiDialect(), "/v1beta", "/v1"),
    OLLAMA(new OllamaDialect(), "");

    private final Dialect dialect;
    private final List<String> basePaths;

    Wire(Dialect dialect, String... basePaths) {
        this.dialect = dialect;
        this.basePaths = List.of(basePaths);
    }

    String basePath() {
        return basePaths.getFirst();
    }

    boolean serves(String route) {
        return basePaths.stream()
                .anyMatch(base -> route.startsWith(base) && dialect.serves(route.substring(base.length())));
    }

    Dialect dialect() {
        return dialect;
    }
}
