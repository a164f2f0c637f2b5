package dev.parley.agents.remote;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.UnknownEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns what one remote run sends into events of ours: tidied, with ids that are nobody else's, and with only what is new
 * of its snapshots. Whether they are legal in their order is the guard's to say.
 */
final class RemoteEvents {
    private static final Alphabet TYPE = Alphabet.of("A-Z_");

    private static final int MAX_ERROR = 2_000;

    private final String threadId;
    private final String runId;
    private final UnaryOperator<String> hiding;
    private final RemoteIds ids;
    private final Tidying tidying;
    private final Streamed streamed = new Streamed();

    /**
     * @param sent the conversation that the agent was given
     * @param taken whether the thread has a message of an id
     * @param hiding takes secrets out of a text
     */
    RemoteEvents(
            String threadId, String runId, List<Message> sent, Predicate<String> taken, UnaryOperator<String> hiding) {
        this.threadId = threadId;
        this.runId = runId;
        this.hiding = hiding;
        this.ids = new RemoteIds(sent, taken);
        this.tidying = new Tidying(ids::fresh);
    }

    /** The events that a frame's data stands for, in order; may be none. */
    List<AguiEvent> take(String data) throws RemoteFailure {
        // What other protocols say at their end.
        if (data.isBlank() || data.strip().equals("[DONE]")) {
            return List.of();
        }
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(hiding.apply(data));
        } catch (JacksonException notJson) {
            throw RemoteFailure.protocol("an event that is not JSON");
        }
        if (!(json instanceof ObjectNode event) || !event.path("type").isString()) {
            throw RemoteFailure.protocol("an event without a type");
        }
        tidying.tidy(event);
        String type = event.path("type").stringValue();
        List<AguiEvent> events = new ArrayList<>();
        switch (type) {
            // The run has begun already, and that is ours to say.
            case "RUN_STARTED" -> {}
            case "MESSAGES_SNAPSHOT" -> {
                for (ObjectNode addition : new SnapshotAdditions(ids, streamed).of(event.path("messages"))) {
                    add(addition, events);
                }
            }
            default -> add(event, events);
        }
        return events;
    }

    private void add(ObjectNode event, List<AguiEvent> events) throws RemoteFailure {
        String type = event.path("type").stringValue();
        if (type.equals("TOOL_CALL_RESULT")
                && ids.isAnswered(event.path("toolCallId").asString(""))) {
            return;
        }
        if (type.equals("RUN_FINISHED")) {
            event.put("threadId", threadId).put("runId", runId);
        } else if (type.equals("RUN_ERROR")) {
            mendError(event);
        }
        streamed.note(event);
        rename(event, type);
        AguiEvent read;
        try {
            read = AguiJson.readEvent(event, "");
        } catch (ProblemException wrong) {
            throw RemoteFailure.protocol(name(type) + " that is not one of AG-UI 1.0: " + wrong.detail());
        }
        if (read instanceof RunEvent.Finished finished) {
            events.add(withPending(finished));
        } else if (!(read instanceof UnknownEvent)) {
            events.add(read);
        }
    }

    /** Types are the agent's own words, and of any length. */
    private static String name(String type) {
        return TYPE.spells(type, 1, 40) ? "a " + type : "an event";
    }

    private void mendError(ObjectNode event) {
        Tidying.text(event, "message");
        String message = hiding.apply(event.path("message").stringValue());
        event.put("message", message.isBlank() ? "The remote agent failed." : start(message));
        if (!event.path("code").isString()) {
            event.remove("code");
        } else if (event.path("code").stringValue().length() > RemoteIds.MAX_LENGTH) {
            event.put("code", event.path("code").stringValue().substring(0, RemoteIds.MAX_LENGTH));
        }
    }

    private static String start(String message) {
        return message.length() <= MAX_ERROR ? message : message.substring(0, MAX_ERROR) + "…";
    }

    private UnaryOperator<String> idOf(String type) {
        return switch (type) {
            case "TOOL_CALL_RESULT" -> ids::result;
            case "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA" -> ids::activity;
            default -> type.startsWith("TEXT_MESSAGE_") ? ids::message : RemoteIds::storable;
        };
    }

    private void rename(ObjectNode event, String type) {
        boolean thinks = type.startsWith("REASONING_");
        boolean calls = type.equals("TOOL_CALL_START") || type.equals("TOOL_CALL_CHUNK");
        if (event.path("messageId").isString()) {
            // Chunks leave it out; an empty one is some servers' only one.
            UnaryOperator<String> id = thinks ? ids::thought : idOf(type);
            event.put("messageId", id.apply(event.path("messageId").stringValue()));
        }
        replace(event, "toolCallId", calls ? ids::newCall : ids::callOf);
        replace(event, "parentMessageId", calls ? ids::message : ids::messageOf);
        replace(event, "parentToolCallId", ids::callOf);
        boolean ofCall = event.path("subtype").asString("").equals("tool-call");
        replace(event, "entityId", ofCall ? ids::callOf : ids::entity);
        for (String name : List.of("subagentRunId", "parentSubagentRunId", "stepName", "toolCallName")) {
            replace(event, name, RemoteIds::storable);
        }
        if (event.get("outcome") instanceof ObjectNode outcome) {
            renameIn(outcome);
        }
    }

    private void renameIn(ObjectNode outcome) {
        replaceAll(outcome.get("pendingToolCallIds"), ids::callOf);
        replaceAll(outcome.get("interruptIds"), RemoteIds::storable);
        for (JsonNode each : outcome.path("interrupts")) {
            if (each instanceof ObjectNode interrupt) {
                RemoteIds.keepOriginal(interrupt);
                replace(interrupt, "toolCallId", ids::callOf);
                replace(interrupt, "subagentRunId", RemoteIds::storable);
            }
        }
    }

    private static void replace(ObjectNode holder, String member, UnaryOperator<String> by) {
        JsonNode id = holder.path(member);
        if (id.isString() && !id.stringValue().isEmpty()) {
            holder.put(member, by.apply(id.stringValue()));
        }
    }

    private static void replaceAll(@Nullable JsonNode list, UnaryOperator<String> by) {
        if (list instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isString()) {
                    array.set(i, by.apply(array.get(i).stringValue()));
                }
            }
        }
    }

    /** Clients before 1.0 work out for themselves which calls are left to them; the others are told. */
    private RunEvent.Finished withPending(RunEvent.Finished finished) {
        List<String> open = streamed.openCalls().stream().map(ids::callOf).toList();
        boolean silent = finished.outcome() == null
                || finished.outcome() instanceof Outcome.Success success && success.pendingToolCallIds() == null;
        return silent
                ? new RunEvent.Finished(
                        threadId,
                        runId,
                        finished.result(),
                        new Outcome.Success(open.isEmpty() ? null : open),
                        finished.usage(),
                        finished.common())
                : finished;
    }
}
