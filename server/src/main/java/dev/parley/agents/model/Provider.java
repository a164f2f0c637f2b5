package dev.parley.agents.model;

import dev.langchain4j.data.message.ChatMessage;
import dev.parley.assembly.ModelShape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A provider of models: its wire format, its address, and the shape of conversations that it accepts. */
enum Provider {
    /** Chat completions: OpenAI, and all servers that are compatible with it. */
    OPENAI("https://api.openai.com/v1", Dialects::openAi, true),
    ANTHROPIC("https://api.anthropic.com/v1", Dialects::anthropic, true),
    GEMINI("https://generativelanguage.googleapis.com/v1beta", Dialects::gemini, true),
    OLLAMA("http://127.0.0.1:11434", Dialects::ollama, false);

    /** Limit of images in a request. Every provider accepts this number. */
    private static final int MAX_PICTURES = 20;

    private final String url;
    private final Signals.Dialect dialect;
    private final boolean keyed;

    Provider(String url, Signals.Dialect dialect, boolean keyed) {
        this.url = url;
        this.dialect = dialect;
        this.keyed = keyed;
    }

    static final List<String> NAMES =
            Arrays.stream(values()).map(Provider::toString).toList();

    static Optional<Provider> of(String name) {
        for (Provider provider : values()) {
            if (provider.toString().equals(name)) {
                return Optional.of(provider);
            }
        }
        return Optional.empty();
    }

    /** The provider's own address, the default. */
    String url() {
        return url;
    }

    /** True if the provider's own address requires a key. */
    boolean isKeyed() {
        return keyed;
    }

    Signals.Dialect dialect() {
        return dialect;
    }

    /** True if each frame is a line. */
    boolean sendsLines() {
        return this == OLLAMA;
    }

    /** The body to send in place of the library's body. */
    String bodyFor(String body) {
        return this == GEMINI ? GeminiTurns.joined(body) : body;
    }

    /**
     * The reasoning for a request with these messages. Anthropic refuses to reason if the last calls lack the reasoning
     * that led to them, and the reasoning of earlier runs is gone.
     */
    Reasoning reasoning(Reasoning configured, List<ChatMessage> messages) {
        return this == ANTHROPIC && ChatMessages.lastCallsLackReasoning(messages) ? new Reasoning.AsIs() : configured;
    }

    ModelShape shape(int tokens, boolean images) {
        int pictures = images ? MAX_PICTURES : 0;
        return switch (this) {
            case OPENAI, OLLAMA -> ModelShape.openAi(tokens, pictures);
            case ANTHROPIC, GEMINI -> ModelShape.alternating(tokens, pictures);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
