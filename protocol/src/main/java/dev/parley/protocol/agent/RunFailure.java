package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a run failed.
 *
 * @param upstream the failure of the model's provider; null if there was none, and for callers who neither operate the
 *     server nor own the agent
 */
public record RunFailure(
        @Nullable String code, String message, @Nullable UpstreamFailure upstream) {}
