package dev.parley.protocol.agent;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of one model request of a run.
 *
 * @param version of the assembly rules that built it; null if no context was built
 * @param request the index of the request within the run, from 0; null if the run made none
 * @param requests the number of the run's model requests
 * @param tools the tools that the model was offered beside the messages
 * @param hash of the bytes that went to the provider, in hex; of the messages where no request was sent
 * @param sentBytes the number of bytes sent to the provider
 * @param failure how the provider failed at the last request; null if it did not, and for callers who neither operate
 *     the server nor own the agent
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
