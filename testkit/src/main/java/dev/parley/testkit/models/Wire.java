package dev.parley.testkit.models;

/** The providers whose wire formats can be spoken. */
public enum Wire {
    OPENAI("/v1", new OpenAiDialect()),
    ANTHROPIC("/v1", new AnthropicDialect()),
    GEMINI("/v1beta", new GeminiDialect()),
    OLLAMA("", new OllamaDialect());

    private final String basePath;
    private final Dialect dialect;

    Wire(String basePath, Dialect dialect) {
        this.basePath = basePath;
        this.dialect = dialect;
    }

    String basePath() {
        return basePath;
    }

    Dialect dialect() {
        return dialect;
    }
}
