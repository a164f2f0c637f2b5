package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/**
 * How the provider of a model failed, for operators and the agent's owner.
 *
 * @param status of its answer; null if none came
 * @param address that was called, without its query
 * @param message the provider's own words, shortened and without keys; null if it said nothing
 */
public record UpstreamFailure(
        @Nullable Integer status, String address, @Nullable String message) {}
