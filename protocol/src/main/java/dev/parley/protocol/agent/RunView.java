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
 * The current state of a run.
 *
 * @param agent the agent that answers, as a sender id
 * @param state queued, running, waiting, completed, failed or cancelled
 * @param parentRunId the run that the client named as the parent of this run
 * @param rootRunId for a child, the root run whose events include the child's events
 * @param triggers the seqs of the messages that the run answers
 * @param firstEvent the position of the run's first event
 * @param outcome the outcome in the terminal event of a finished run
 * @param openInterrupts the ids of the run's interrupts that have no answer yet
 * @param lastEvent the position of the run's terminal event
 * @param usage the tokens and cost of the run's model requests
 * @param input the input that the run's client sent. Null in lists and for runs that messages started. Only the run's
 *     agent, that agent's owner, the run's starter and operators see the input.
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
        // Servers older than the client do not send these two fields.
        openInterrupts = openInterrupts == null ? List.of() : List.copyOf(openInterrupts);
        usage = usage == null ? List.of() : List.copyOf(usage);
    }

    /** Starts the view of a queued run; the other fields are set one by one. */
    public static Builder of(UUID taskId, ThreadId threadId, String runId, Actor agent, Actor startedBy) {
        return new Builder(taskId, threadId, runId, agent, startedBy);
    }

    /** Builds a view. A field that is not set is null or empty. */
    public static final class Builder {
        private final UUID taskId;
        private final ThreadId threadId;
        private final String runId;
        private final Actor agent;
        private final Actor startedBy;
        private String state = "queued";
        private int attempts;
        private @Nullable String parentRunId;
        private @Nullable String rootRunId;
        private List<Long> triggers = List.of();
        private @Nullable Long firstEvent;
        private @Nullable Long lastEvent;
        private @Nullable JsonNode outcome;
        private List<String> openInterrupts = List.of();
        private @Nullable RunFailure error;
        private List<RunUsage> usage = List.of();
        private @Nullable RunAgentInput input;
        private Instant created = Instant.EPOCH;
        private @Nullable Instant started;
        private @Nullable Instant ended;

        private Builder(UUID taskId, ThreadId threadId, String runId, Actor agent, Actor startedBy) {
            this.taskId = taskId;
            this.threadId = threadId;
            this.runId = runId;
            this.agent = agent;
            this.startedBy = startedBy;
        }

        public Builder state(String name, int attempts) {
            this.state = name;
            this.attempts = attempts;
            return this;
        }

        public Builder under(@Nullable String parentRunId, @Nullable String rootRunId) {
            this.parentRunId = parentRunId;
            this.rootRunId = rootRunId;
            return this;
        }

        public Builder triggers(List<Long> seqs) {
            this.triggers = seqs;
            return this;
        }

        public Builder events(@Nullable Long first, @Nullable Long last) {
            this.firstEvent = first;
            this.lastEvent = last;
            return this;
        }

        public Builder outcome(@Nullable JsonNode outcome) {
            this.outcome = outcome;
            return this;
        }

        public Builder error(@Nullable RunFailure error) {
            this.error = error;
            return this;
        }

        public Builder openInterrupts(List<String> ids) {
            this.openInterrupts = ids;
            return this;
        }

        public Builder usage(List<RunUsage> usage) {
            this.usage = usage;
            return this;
        }

        public Builder input(@Nullable RunAgentInput input) {
            this.input = input;
            return this;
        }

        public Builder times(Instant created, @Nullable Instant started, @Nullable Instant ended) {
            this.created = created;
            this.started = started;
            this.ended = ended;
            return this;
        }

        public RunView build() {
            return new RunView(
                    taskId,
                    threadId,
                    runId,
                    agent,
                    startedBy,
                    state,
                    parentRunId,
                    rootRunId,
                    triggers,
                    attempts,
                    firstEvent,
                    lastEvent,
                    outcome,
                    openInterrupts,
                    error,
                    usage,
                    input,
                    created,
                    started,
                    ended);
        }
    }
}
