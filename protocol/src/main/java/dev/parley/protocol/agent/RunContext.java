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
 * @param version the version of the assembly rules that built the context; null if no context was built
 * @param request the index of the request within the run, from 0; null if the run made no request
 * @param requests the number of the run's model requests
 * @param tools the tools that the model was offered beside the messages
 * @param hash the hash of the bytes sent to the provider, in hex; the hash of the messages if no request was sent
 * @param sentBytes the number of bytes sent to the provider
 * @param failure the provider's failure in the last request; null if there was none, and for callers who neither
 *     operate the server nor own the agent
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
