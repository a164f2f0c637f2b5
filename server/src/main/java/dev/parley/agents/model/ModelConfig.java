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
 * What is configured of one agent of kind model.
 *
 * @param url what stands before the paths of the provider's API
 * @param apiKey the name of a secret, nothing around it; null for a place that wants none
 * @param instructions its system prompt; empty for none
 * @param promptedTools whether the model is told of tools in words, since it cannot be told otherwise
 * @param toolServers whose tools it may call
 * @param contextTokens how much of the conversation it is shown, by our own estimate
 * @param images whether it can see
 * @param maxRequests how often it is asked in one run
 * @param silence null leaves it to the server's limit
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
    /** What may be configured. */
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
     * Reads a configuration of which everything is there that it refers to, or says what is wrong with each field.
     *
     * @param toolServers the servers of tools that there are
     */
    public static ModelConfig require(ObjectNode config, Secrets secrets, Collection<String> toolServers) {
        return new ModelConfigReader(config).require(secrets, toolServers);
    }

    /** Reads a configuration whose secrets and servers of tools may have gone since. */
    static ModelConfig read(ObjectNode config) {
        return new ModelConfigReader(config).read();
    }
}
