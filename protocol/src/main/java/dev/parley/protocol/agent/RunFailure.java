package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a run failed.
 *
 * @param upstream how the model's provider failed; null for callers who neither operate the server nor own the agent
 */
public record RunFailure(
        @Nullable String code, String message, @Nullable UpstreamFailure upstream) {}
