package dev.parley.agents.model;

import dev.parley.agents.DisconnectPolicy;
import dev.parley.outbound.OutboundUrl;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration of an agent of kind model.
 *
 * @param url the base address, to which the paths of the provider's API are appended
 * @param elsewhere true if the configuration sets {@code url}, false if {@code url} is the provider's own address
 * @param apiKey a single reference to a secret, without other text; null for servers without keys
 * @param instructions the system prompt; empty for none
 * @param promptedTools true if tools are described in the prompt, for models without tool calls
 * @param toolServers names of the servers whose tools the agent may call
 * @param contextTokens limit of the context, by the server's own estimate
 * @param images true if the model accepts images
 * @param maxRequests limit of requests in one run
 * @param silence longest time without bytes; null applies the server's limit
 */
public record ModelConfig(
        Provider provider,
        String model,
        OutboundUrl url,
        boolean elsewhere,
        @Nullable SecretText apiKey,
        Map<String, SecretText> headers,
        String instructions,
        @Nullable Double temperature,
        @Nullable Integer maxOutputTokens,
        Reasoning reasoning,
        boolean promptedTools,
        List<String> toolServers,
        int contextTokens,
        boolean images,
        int maxRequests,
        @Nullable Duration silence) {
    /** The known fields of the configuration. */
    public static final List<String> MEMBERS = List.of(
            "provider",
            "model",
            "base_url",
            "api_key",
            "headers",
            "instructions",
            "temperature",
            "max_output_tokens",
            "reasoning",
            "tools",
            "tool_servers",
            "context_tokens",
            "images",
            "max_requests",
            "silence_seconds",
            DisconnectPolicy.KEY);

    public ModelConfig {
        headers = Map.copyOf(headers);
        toolServers = List.copyOf(toolServers);
    }

    /**
     * Reads a configuration whose references all exist, or throws a problem that names each invalid field.
     *
     * @param toolServers the names of the configured tool servers
     */
    public static ModelConfig require(ObjectNode config, Secrets secrets, Collection<String> toolServers) {
        return new ModelConfigReader(config).require(secrets, toolServers);
    }

    /** Reads a stored configuration; its secrets and tool servers may have been removed since. */
    static ModelConfig read(ObjectNode config) {
        return new ModelConfigReader(config).read();
    }
}
