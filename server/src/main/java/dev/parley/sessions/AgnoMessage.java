package dev.parley.sessions;

import dev.parley.assembly.Assembly;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.log.EntryContent;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.RunReport;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message from another face, in the form in which Agno would have written it. Its fields are in Agno's order, and
 * {@code Message.from_dict} (<a href="https://docs.agno.com">docs.agno.com</a>) accepts all of them. Its files are
 * listed beside the text, as if they had been cut out of the text.
 */
final class AgnoMessage {
    private final RevisedMessage message;
    private final EntryContent content;
    private final ObjectNode stored;
    private final MessageUsage usage;

    AgnoMessage(RevisedMessage message, MessageUsage usage) {
        this.message = message;
        this.usage = usage;
        this.content = message.original().content();
        this.stored = content.metadata() == null
                ? Json.MAPPER.createObjectNode()
                : (ObjectNode) Json.MAPPER.readTree(content.metadata());
    }

    /** The files that the message names. The caller checks which of them were shown in its thread. */
    List<ObjectKey> files() {
        return message.isDeleted() ? List.of() : MessageFiles.keysIn(stored);
    }

    /** The message's role in Agno's words. */
    String role() {
        String role = content.role().wire();
        if (content.role() == Role.ASSISTANT && RunReport.isOfRun(content.role(), stored)) {
            // An agent may write in another role than its own. AG-UI's role developer is Agno's role system.
            role = stored.path("role").asString(role);
        }
        return role.equals("developer") ? Role.SYSTEM.wire() : role;
    }

    /** @param shown the files that were shown in the thread, for all messages */
    StoredMessage write(Map<ObjectKey, StoredObject> shown) {
        AgnoMessageWriter text = new AgnoMessageWriter(head());
        if (!message.isDeleted()) {
            text.addMedia(stored, shown);
            usage.metrics().ifPresent(text::addMetrics);
        }
        return text.end(message.original().createdAt());
    }

    private ObjectNode head() {
        ObjectNode head = Json.MAPPER.createObjectNode().put("id", content.id());
        List<ToolCall> calls =
                content.role() == Role.ASSISTANT && RunReport.isOfRun(content.role(), stored) && !message.isDeleted()
                        ? Assembly.calls(stored)
                        : List.<ToolCall>of();
        String text = text();
        if (!text.isEmpty() || calls.isEmpty()) {
            head.put("content", text);
        }
        String reasoning = reasoning();
        if (!reasoning.isEmpty()) {
            head.put("reasoning_content", reasoning);
        }
        head.put("from_history", false).put("stop_after_tool_call", false).put("role", role());
        if (content.role() == Role.TOOL && RunReport.isOfRun(content.role(), stored)) {
            putIfGiven(head, "tool_call_id");
            putIfGiven(head, "tool_name");
            head.put(
                    "tool_call_error",
                    error() != null || stored.path("tool_failed").asBoolean(false));
        }
        if (!calls.isEmpty()) {
            ArrayNode list = head.putArray("tool_calls");
            calls.forEach(call -> list.add(call(call)));
        }
        return head;
    }

    private static ObjectNode call(ToolCall call) {
        ObjectNode node = Json.MAPPER.createObjectNode().put("id", call.id()).put("type", call.type());
        node.putObject("function")
                .put("name", call.function().name())
                .put("arguments", call.function().arguments());
        return node;
    }

    /** Agno keeps a tool's error in the content of its result. */
    private String text() {
        String error = error();
        return message.content().isEmpty() && error != null && !message.isDeleted() ? error : message.content();
    }

    private @Nullable String error() {
        return content.role() == Role.TOOL
                        && RunReport.isOfRun(content.role(), stored)
                        && stored.path("error").isString()
                ? stored.path("error").stringValue()
                : null;
    }

    private String reasoning() {
        return content.role() == Role.USER || !RunReport.isOfRun(content.role(), stored) || message.isDeleted()
                ? ""
                : stored.path("reasoning")
                        .valueStream()
                        .map(thought -> thought.path("content").asString(""))
                        .collect(Collectors.joining("\n\n"));
    }

    private void putIfGiven(ObjectNode head, String member) {
        JsonNode given = stored.path(member);
        if (given.isString()) {
            head.set(member, given);
        }
    }
}
