package dev.parley.sessions;

import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.external.RunProgress;
import dev.parley.runs.guard.SubagentState;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Facts that the events of a streamed run carry besides its visible output: its agent, and its usage. */
sealed interface StreamEffect extends Effect {
    @Override
    default boolean repeatable() {
        return true;
    }

    /**
     * A fact about a run or a child run; known values stay.
     *
     * @param startedBy the caller that posts the fact, who owns the run if the run is new
     * @param at the time of the fact; null for now
     */
    record Noted(
            ThreadId thread,
            String runId,
            @Nullable Actor startedBy,
            @Nullable String parentRunId,
            @Nullable String agentId,
            @Nullable String agentName,
            @Nullable String teamName,
            @Nullable String model,
            @Nullable String provider,
            @Nullable Instant at)
            implements StreamEffect {}

    /**
     * Usage was reported.
     *
     * @param runId the run that spent the tokens; it may be a child of the run that pays
     * @param member the same run if it is such a child; else null
     * @param messageId the message that the request made; null if the message has not begun yet
     * @param request the number of the event that reports the usage
     * @param spender the actor that asked for the run
     * @param model the model; null if the event names no model, which means the run's model
     * @param cost the cost that the provider reports, in {@value AgnoTokens#REPORTED_CURRENCY}; null for the cost by
     *     the price list
     * @param total true for the usage of the whole run, which counts if its requests were not reported
     */
    record Used(
            ThreadId thread,
            UUID task,
            String runId,
            @Nullable String member,
            int request,
            @Nullable String messageId,
            Actor agent,
            Actor spender,
            @Nullable String provider,
            @Nullable String model,
            AgnoTokens tokens,
            @Nullable BigDecimal cost,
            boolean total)
            implements StreamEffect {}

    /**
     * A message begins. It becomes the message of all earlier requests without a message, because Agno reports the cost
     * of a request before the calls that the request made.
     *
     * @param member the child run that the message belongs to; null for the run itself
     * @param number the number of the event with which the message begins
     */
    record MessageBegun(
            ThreadId thread, UUID task, @Nullable String member, String messageId, int number)
            implements StreamEffect {}

    /** The effects of one event on its run. */
    static List<Effect> of(
            AgnoEvent event, @Nullable String owner, long number, RunProgress progress, AgnoVoice voice) {
        List<Effect> changes = new ArrayList<>();
        boolean isNew = owner != null && progress.progressOf(owner) == SubagentState.UNKNOWN;
        if (isNew || event.kind().equals("RunStarted")) {
            changes.add(noted(event, owner, progress));
        }
        JsonNode metrics = event.json().path("metrics");
        if (event.kind().equals("ModelRequestCompleted")) {
            AgnoTokens.in(event.json())
                    .ifPresent(tokens -> changes.add(
                            used(event, owner, number, progress, event.json(), tokens, voice.messageSoFar())));
        } else if (owner == null && event.kind().equals("RunCompleted")) {
            AgnoTokens.in(metrics)
                    .ifPresent(tokens ->
                            changes.add(used(event, null, number, progress, metrics, tokens, voice.latestMessage())));
        }
        for (String message : voice.begun()) {
            changes.add(new MessageBegun(
                    progress.run().thread(), progress.run().taskId(), owner, message, counted(number)));
        }
        return changes;
    }

    private static Noted noted(AgnoEvent event, @Nullable String owner, RunProgress progress) {
        String parent = event.id("parent_run_id").orElse(null);
        return new Noted(
                progress.run().thread(),
                owner == null ? progress.run().runId() : owner,
                progress.run().startedBy(),
                parent == null && owner != null ? progress.run().runId() : parent,
                event.agentId().orElse(null),
                event.label("agent_name").orElse(null),
                event.label("team_name").orElse(null),
                event.label("model").orElse(null),
                event.label("model_provider").orElse(null),
                null);
    }

    private static int counted(long number) {
        return (int) Math.min(number, Integer.MAX_VALUE);
    }

    private static Used used(
            AgnoEvent event,
            @Nullable String owner,
            long number,
            RunProgress progress,
            JsonNode counted,
            AgnoTokens tokens,
            Optional<String> message) {
        // A run's total lists its models; the first model in the list is the one that wrote the answer.
        AgnoEvent named = new AgnoEvent(counted.path("details").path("model").path(0));
        return new Used(
                progress.run().thread(),
                progress.run().taskId(),
                owner == null ? progress.run().runId() : owner,
                owner,
                counted(number),
                message.orElse(null),
                progress.run().agent(),
                progress.run().startedBy(),
                event.label("model_provider").or(() -> named.label("provider")).orElse(null),
                event.label("model").or(() -> named.label("id")).orElse(null),
                tokens,
                AgnoTokens.cost(counted).orElse(null),
                event.kind().equals("RunCompleted"));
    }
}
