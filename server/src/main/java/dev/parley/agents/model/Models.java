package dev.parley.agents.model;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GeminiThinkingConfig;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the library's model object for one request. The shared client has the connections, and the model object has
 * none. Therefore a new object for each request is cheap, and a changed configuration or secret takes effect at once.
 */
final class Models {
    /** Default limit of the output for Anthropic, which requires a limit. All its models accept this value. */
    static final int ANTHROPIC_OUTPUT = 4_096;

    /** Default room for an answer in Ollama's context window. */
    private static final int OLLAMA_OUTPUT = 4_096;

    /** Placeholder for a missing key. The library requires a key even if the model's server requires none. */
    private static final String NO_KEY = "none";

    private Models() {}

    /**
     * @param reasoning replaces the configured reasoning
     * @param key the revealed key
     * @param headers the headers with revealed values
     */
    static StreamingChatModel of(
            ModelConfig config,
            Reasoning reasoning,
            @Nullable String key,
            Map<String, String> headers,
            HttpClientBuilder client) {
        return switch (config.provider()) {
            case OPENAI -> openAi(config, reasoning, key, headers, client);
            case ANTHROPIC -> anthropic(config, reasoning, key, headers, client);
            case GEMINI -> gemini(config, reasoning, key, headers, client);
            case OLLAMA -> ollama(config, reasoning, key, headers, client);
        };
    }

    private static StreamingChatModel openAi(
            ModelConfig config,
            Reasoning reasoning,
            @Nullable String key,
            Map<String, String> headers,
            HttpClientBuilder client) {
        OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder model = OpenAiStreamingChatModel.builder()
                .httpClientBuilder(client)
                .baseUrl(config.url().uri().toString())
                .modelName(config.model())
                .customHeaders(headers)
                .returnThinking(true)
                .logRequests(false)
                .logResponses(false);
        if (key != null) {
            model.apiKey(key);
        }
        if (config.temperature() != null) {
            model.temperature(config.temperature());
        }
        if (config.maxOutputTokens() != null && config.elsewhere()) {
            model.maxTokens(config.maxOutputTokens());
        } else if (config.maxOutputTokens() != null) {
            // OpenAI's newer models accept only the newer field, and other servers only the older field.
            model.maxCompletionTokens(config.maxOutputTokens());
        }
        if (reasoning instanceof Reasoning.Effort(String level)) {
            model.reasoningEffort(level);
        }
        return model.build();
    }

    private static StreamingChatModel anthropic(
            ModelConfig config,
            Reasoning reasoning,
            @Nullable String key,
            Map<String, String> headers,
            HttpClientBuilder client) {
        AnthropicStreamingChatModel.AnthropicStreamingChatModelBuilder model = AnthropicStreamingChatModel.builder()
                .httpClientBuilder(client)
                .baseUrl(config.url().uri().toString())
                .apiKey(key == null ? NO_KEY : key)
                .modelName(config.model())
                .customHeaders(headers)
                .returnThinking(true)
                .sendThinking(true)
                .logRequests(false)
                .logResponses(false);
        int output = config.maxOutputTokens() == null ? ANTHROPIC_OUTPUT : config.maxOutputTokens();
        if (config.temperature() != null) {
            model.temperature(config.temperature());
        }
        if (reasoning instanceof Reasoning.Budget(int tokens)) {
            model.thinkingType("enabled").thinkingBudgetTokens(tokens);
            output = config.maxOutputTokens() == null ? output + tokens : output;
        }
        return model.maxTokens(output).build();
    }

    private static StreamingChatModel gemini(
            ModelConfig config,
            Reasoning reasoning,
            @Nullable String key,
            Map<String, String> headers,
            HttpClientBuilder client) {
        GoogleAiGeminiStreamingChatModel.GoogleAiGeminiStreamingChatModelBuilder model =
                GoogleAiGeminiStreamingChatModel.builder()
                        .httpClientBuilder(client)
                        .baseUrl(config.url().uri().toString())
                        .apiKey(key == null ? NO_KEY : key)
                        .modelName(config.model())
                        .customHeaders(headers)
                        .returnThinking(true)
                        .sendThinking(true)
                        .logRequestsAndResponses(false);
        if (config.temperature() != null) {
            model.temperature(config.temperature());
        }
        if (config.maxOutputTokens() != null) {
            model.maxOutputTokens(config.maxOutputTokens());
        }
        switch (reasoning) {
            case Reasoning.Budget(int tokens) ->
                model.thinkingConfig(GeminiThinkingConfig.builder()
                        .includeThoughts(true)
                        .thinkingBudget(tokens)
                        .build());
            case Reasoning.Effort(String level) ->
                model.thinkingConfig(GeminiThinkingConfig.builder()
                        .includeThoughts(true)
                        .thinkingLevel(level)
                        .build());
            case Reasoning.AsIs _, Reasoning.On _ -> {}
        }
        return model.build();
    }

    private static StreamingChatModel ollama(
            ModelConfig config,
            Reasoning reasoning,
            @Nullable String key,
            Map<String, String> headers,
            HttpClientBuilder client) {
        OllamaStreamingChatModel.OllamaStreamingChatModelBuilder model = OllamaStreamingChatModel.builder();
        model.httpClientBuilder(client)
                .baseUrl(config.url().uri().toString())
                .modelName(config.model())
                .returnThinking(true)
                .logRequests(false)
                .logResponses(false);
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (key != null) {
            // Ollama itself has no keys, but a proxy in front of it may.
            all.putIfAbsent("Authorization", "Bearer " + key);
        }
        model.customHeaders(all);
        if (config.temperature() != null) {
            model.temperature(config.temperature());
        }
        if (config.maxOutputTokens() != null) {
            model.numPredict(config.maxOutputTokens());
        }
        // Without a window of this size Ollama silently cuts off the start of the context.
        model.numCtx(
                config.contextTokens() + (config.maxOutputTokens() == null ? OLLAMA_OUTPUT : config.maxOutputTokens()));
        if (reasoning instanceof Reasoning.On) {
            model.think(true);
        }
        return model.build();
    }
}
