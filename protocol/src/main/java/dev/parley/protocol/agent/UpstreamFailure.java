package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a model's provider, for operators and the agent's owner.
 *
 * @param status the HTTP status of the provider's answer; null if no answer arrived
 * @param address the called address, without its query
 * @param message the provider's text, shortened and without keys; null if the provider sent no text
 */
public record UpstreamFailure(
        @Nullable Integer status, String address, @Nullable String message) {}
