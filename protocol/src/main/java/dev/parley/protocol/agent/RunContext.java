package dev.parley.protocol.agent;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the model of a run was shown.
 *
 * @param version of the rules by which it was put together; null if nothing was
 * @param request which of the run's requests to its model this is, from 0; null if there was none
 * @param requests how many there were
 * @param tools what the model was told of beside the messages
 * @param hash of the bytes that went to the provider, in hex; of the messages where nothing went anywhere
 * @param sentBytes how many bytes went to the provider
 * @param failure how the provider failed at the last request; null if it did not, and for callers who neither operate the
 *     server nor own the agent
 */
public record RunContext(
        UUID taskId,
        ThreadId threadId,
        String runId,
        Actor agent,
        @Nullable Integer version,
        @Nullable Integer request,
        int requests,
        @Nullable String provider,
        @Nullable String model,
        List<ContextItem> messages,
        List<ContextTool> tools,
        ContextTokens tokens,
        @Nullable String hash,
        @Nullable Long sentBytes,
        @Nullable Instant created,
        @Nullable UpstreamFailure failure) {
    public RunContext {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
