package dev.parley.protocol.agent;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.RunAgentInput;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run as it stands.
 *
 * @param agent who answers, as a sender id
 * @param state queued, running, waiting, completed, failed or cancelled
 * @param parentRunId the run that its client named as its parent
 * @param rootRunId for a child: the run in whose sequence of events it lives
 * @param triggers the seqs of the messages that it answers
 * @param firstEvent the position of its first event
 * @param outcome of a run that finished, as its terminal event gave it
 * @param openInterrupts the ids of its questions that nobody has answered yet
 * @param lastEvent the position of its terminal event
 * @param usage what its requests to models cost
 * @param input what its client sent for it; null in lists, for runs that messages started, and for callers other than the
 *     run's agent, that agent's owner, the run's starter and operators
 */
public record RunView(
        UUID taskId,
        ThreadId threadId,
        String runId,
        Actor agent,
        Actor startedBy,
        String state,
        @Nullable String parentRunId,
        @Nullable String rootRunId,
        List<Long> triggers,
        int attempts,
        @Nullable Long firstEvent,
        @Nullable Long lastEvent,
        @Nullable JsonNode outcome,
        List<String> openInterrupts,
        @Nullable RunFailure error,
        List<RunUsage> usage,
        @Nullable RunAgentInput input,
        Instant created,
        @Nullable Instant started,
        @Nullable Instant ended) {
    public RunView {
        triggers = List.copyOf(triggers);
        // A server that is older than its client says nothing of them.
        openInterrupts = openInterrupts == null ? List.of() : List.copyOf(openInterrupts);
        usage = usage == null ? List.of() : List.copyOf(usage);
    }
}
