package dev.parley.agents.remote;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the new messages in a remote agent's MESSAGES_SNAPSHOT into ordinary events with the agent's ids. The snapshot
 * itself is dropped. Its other messages repeat sent or streamed messages, and clients would delete all messages that
 * the snapshot lacks.
 *
 * <p>A message before the last sent message or user message counts as a repetition, even if its id is unknown, because
 * agents keep answers from earlier runs under ids of their own.
 */
final class SnapshotAdditions {
    private final RemoteIds ids;
    private final Streamed streamed;
    private final List<ObjectNode> events = new ArrayList<>();

    SnapshotAdditions(RemoteIds ids, Streamed streamed) {
        this.ids = ids;
        this.streamed = streamed;
    }

    List<ObjectNode> of(JsonNode messages) throws RemoteFailure {
        if (!messages.isArray()) {
            throw RemoteFailure.protocol("a MESSAGES_SNAPSHOT without messages");
        }
        int from = 0;
        for (int i = 0; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            if (ids.wasSent(id(message)) || role(message).equals("user")) {
                from = i + 1;
            }
        }
        for (int i = from; i < messages.size(); i++) {
            JsonNode message = messages.get(i);
            switch (role(message)) {
                case "assistant" -> assistant(message);
                case "tool" -> toolResult(message);
                case "reasoning" -> reasoning(message);
                default -> {} // Instructions, activities and roles of later versions are not answers.
            }
        }
        return events;
    }

    private void assistant(JsonNode message) throws RemoteFailure {
        String text = message.path("content").asString("");
        String parent = requireId(message);
        if (!text.isEmpty() && !streamed.has(parent)) {
            // Some agents stream a message under one id and repeat it under another.
            String streamedId = streamed.messageWith(text).orElse(null);
            if (streamedId == null) {
                add("TEXT_MESSAGE_START", message).put("messageId", parent).put("role", "assistant");
                add("TEXT_MESSAGE_CONTENT", message).put("messageId", parent).put("delta", text);
                add("TEXT_MESSAGE_END", message).put("messageId", parent);
            } else {
                parent = streamedId;
            }
        }
        for (JsonNode call : message.path("toolCalls")) {
            String id = requireId(call);
            if (!ids.callWasSent(id) && !streamed.hasCall(id)) {
                toolCall(message, parent, id, call.path("function"));
            } else if (streamed.lacksArguments(id)
                    && !call.path("function").path("arguments").asString("").isEmpty()) {
                // Some agents stream a call without arguments and send the arguments in the snapshot.
                // Then the call is opened again.
                toolCall(message, parent, id, call.path("function"));
            }
        }
    }

    private void toolCall(JsonNode message, String parent, String id, JsonNode function) {
        ObjectNode start = add("TOOL_CALL_START", message).put("toolCallId", id).put("parentMessageId", parent);
        start.set("toolCallName", function.path("name"));
        ObjectNode args = add("TOOL_CALL_ARGS", message).put("toolCallId", id);
        args.set("delta", function.path("arguments"));
        EventRepair.text(args, "delta");
        add("TOOL_CALL_END", message).put("toolCallId", id);
    }

    private void toolResult(JsonNode message) throws RemoteFailure {
        String call = message.path("toolCallId").asString("");
        if (streamed.has(requireId(message)) || streamed.hasResultOf(call) || ids.isAnswered(call)) {
            return;
        }
        ObjectNode result = add("TOOL_CALL_RESULT", message)
                .put("messageId", requireId(message))
                .put("toolCallId", call);
        result.set("content", message.path("content"));
        EventRepair.content(result);
    }

    private void reasoning(JsonNode message) throws RemoteFailure {
        String text = message.path("content").asString("");
        String id = requireId(message);
        if (text.isEmpty() || streamed.has(id)) {
            return;
        }
        add("REASONING_START", message).put("messageId", id);
        add("REASONING_MESSAGE_START", message).put("messageId", id).put("role", "reasoning");
        add("REASONING_MESSAGE_CONTENT", message).put("messageId", id).put("delta", text);
        add("REASONING_MESSAGE_END", message).put("messageId", id);
        add("REASONING_END", message).put("messageId", id);
    }

    private ObjectNode add(String type, JsonNode message) {
        ObjectNode event = Json.MAPPER.createObjectNode().put("type", type);
        String subagent = message.path("subagentRunId").asString("");
        if (!subagent.isEmpty()) {
            event.put("subagentRunId", subagent);
        }
        events.add(event);
        return event;
    }

    private static String requireId(JsonNode holder) throws RemoteFailure {
        if (id(holder).isEmpty()) {
            throw RemoteFailure.protocol("a MESSAGES_SNAPSHOT with a message or call that has no id");
        }
        return id(holder);
    }

    private static String id(JsonNode holder) {
        return holder.path("id").asString("");
    }

    private static String role(JsonNode message) {
        return message.path("role").asString("");
    }
}
