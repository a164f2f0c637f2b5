package dev.parley.agents.model;

import dev.langchain4j.data.message.ChatMessage;
import dev.parley.assembly.ModelShape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whose wire format an agent's model speaks, and what such models need of a conversation. */
enum Provider {
    /** Chat completions: OpenAI itself, and everything that speaks like it. */
    OPENAI("https://api.openai.com/v1", Dialects::openAi, true),
    ANTHROPIC("https://api.anthropic.com/v1", Dialects::anthropic, true),
    GEMINI("https://generativelanguage.googleapis.com/v1beta", Dialects::gemini, true),
    OLLAMA("http://127.0.0.1:11434", Dialects::ollama, false);

    /** What providers take at least, and more than a conversation needs. */
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

    /** Where it is if nothing else is configured. */
    String url() {
        return url;
    }

    /** Whether that place wants a key. */
    boolean isKeyed() {
        return keyed;
    }

    Signals.Dialect dialect() {
        return dialect;
    }

    /** Whether its frames are lines. */
    boolean sendsLines() {
        return this == OLLAMA;
    }

    /** What really goes out for what the library would send. */
    String sentFor(String body) {
        return this == GEMINI ? GeminiTurns.joined(body) : body;
    }

    /**
     * How much the model may be asked to think about this. Anthropic refuses to think on where the last calls do not show
     * the thoughts that led to them, and those of earlier runs are gone.
     */
    Reasoning reasoning(Reasoning configured, List<ChatMessage> messages) {
        return this == ANTHROPIC && ChatMessages.lastCallsAreBare(messages) ? new Reasoning.AsIs() : configured;
    }

    ModelShape shape(int tokens, boolean sees) {
        int pictures = sees ? MAX_PICTURES : 0;
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
