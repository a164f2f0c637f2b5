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
 * Turns the events of one remote run into events of the server: repaired, with ids that are unique in the thread, and
 * with snapshots reduced to their additions. The guard, not this class, checks the order of the events.
 */
final class RemoteEvents {
    private static final Alphabet TYPE = Alphabet.of("A-Z_");

    private static final int MAX_ERROR = 2_000;

    private final String threadId;
    private final String runId;
    private final UnaryOperator<String> hiding;
    private final RemoteIds ids;
    private final EventRepair repair;
    private final Streamed streamed = new Streamed();

    /**
     * @param sent the messages that were sent to the agent
     * @param isTaken true for ids of messages in the thread
     * @param hiding masks secrets in a text
     */
    RemoteEvents(
            String threadId,
            String runId,
            List<Message> sent,
            Predicate<String> isTaken,
            UnaryOperator<String> hiding) {
        this.threadId = threadId;
        this.runId = runId;
        this.hiding = hiding;
        this.ids = new RemoteIds(sent, isTaken);
        this.repair = new EventRepair(ids::fresh);
    }

    /** The events in the data of a frame, in order. The list may be empty. */
    List<AguiEvent> take(String data) throws RemoteFailure {
        // Some servers end the stream with [DONE], as other protocols do.
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
        repair.repair(event);
        String type = event.path("type").stringValue();
        List<AguiEvent> events = new ArrayList<>();
        switch (type) {
            // The server itself has written the run's start.
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
            repairError(event);
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

    /** The words for an event in an error message: its type, or "an event" if the type may not be quoted. */
    private static String name(String type) {
        return TYPE.spells(type, 1, 40) ? "a " + type : "an event";
    }

    private void repairError(ObjectNode event) {
        EventRepair.text(event, "message");
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
        boolean isReasoning = type.startsWith("REASONING_");
        boolean isCall = type.equals("TOOL_CALL_START") || type.equals("TOOL_CALL_CHUNK");
        if (event.path("messageId").isString()) {
            // Chunks may leave the id out. Some servers send empty ids only.
            UnaryOperator<String> id = isReasoning ? ids::thought : idOf(type);
            event.put("messageId", id.apply(event.path("messageId").stringValue()));
        }
        replace(event, "toolCallId", isCall ? ids::newCall : ids::callOf);
        replace(event, "parentMessageId", isCall ? ids::message : ids::messageOf);
        replace(event, "parentToolCallId", ids::callOf);
        boolean entityIsCall = event.path("subtype").asString("").equals("tool-call");
        replace(event, "entityId", entityIsCall ? ids::callOf : ids::entity);
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

    /**
     * Adds the open calls to a RUN_FINISHED that names none. Clients of AG-UI 1.0 read the open calls from the event,
     * and older clients derive them.
     */
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
