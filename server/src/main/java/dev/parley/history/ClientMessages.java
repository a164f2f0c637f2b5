package dev.parley.history;

import dev.parley.assembly.Assembly;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.log.EntryContent;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.runs.AnswerUsage;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.RunReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages of the log as AG-UI messages (<a href="https://docs.ag-ui.com/concepts/messages">docs.ag-ui.com</a>), in the
 * same order and under the same ids as they were streamed. Data without a field in the protocol goes into the metadata
 * of the messages.
 */
final class ClientMessages {
    /** Metadata fields that are internal, or that other AG-UI fields carry. */
    private static final Set<String> INTERNAL = Set.of(
            "run_id",
            "message_id",
            "tool_call_id",
            "tool_calls",
            "reasoning",
            "name",
            "role",
            "error",
            "encrypted_value",
            "subagent_run_id",
            MessageFiles.FIRST,
            MessageFiles.ALL,
            MessageFiles.ELSEWHERE);

    private ClientMessages() {}

    /**
     * A message, preceded by the reasoning that led to it.
     *
     * @param links new URLs of the files that were shown in the thread
     * @param usage the usage of the requests that made the message; null if it is not known
     */
    static List<Message> of(RevisedMessage message, Map<ObjectKey, String> links, @Nullable AnswerUsage usage) {
        EntryContent content = message.original().content();
        ObjectNode stored = content.metadata() == null
                ? Json.MAPPER.createObjectNode()
                : (ObjectNode) Json.MAPPER.readTree(content.metadata());
        ObjectNode marks = marks(message, stored, usage);
        String subagent = text(stored, "subagent_run_id");
        List<Message> messages = new ArrayList<>();
        if (content.role() != Role.USER && RunReport.isOfRun(content.role(), stored)) {
            addReasoning(content, stored, subagent, messages);
        }
        switch (content.role()) {
            case USER -> {
                boolean ofRun = RunReport.isOfRun(content.role(), stored);
                messages.add(new Message.User(
                        content.id(),
                        content(message.content(), stored, links),
                        ofRun ? text(stored, "name") : null,
                        ofRun ? text(stored, "encrypted_value") : null,
                        marks,
                        null));
            }
            case TOOL ->
                messages.add(new Message.Tool(
                        content.id(),
                        content(message.content(), stored, links),
                        stored.path("tool_call_id").asString(""),
                        text(stored, "error"),
                        null,
                        marks,
                        subagent));
            case ASSISTANT ->
                messages.add(
                        RunReport.isOfRun(content.role(), stored)
                                ? answer(message, stored, marks, subagent)
                                : new Message.Assistant(
                                        content.id(), message.content(), null, List.of(), null, marks, null));
            case SYSTEM -> {}
        }
        return messages;
    }

    private static void addReasoning(
            EntryContent content, ObjectNode stored, @Nullable String subagent, List<Message> messages) {
        for (JsonNode reasoning : stored.path("reasoning")) {
            messages.add(new Message.Reasoning(
                    reasoning.path("id").asString(content.id() + "-reasoning"),
                    reasoning.path("content").asString(""),
                    null,
                    reasoning.path("truncated").asBoolean(false)
                            ? Json.MAPPER.createObjectNode().put("truncated", true)
                            : null,
                    subagent));
        }
    }

    private static Message answer(
            RevisedMessage message, ObjectNode stored, ObjectNode marks, @Nullable String subagent) {
        String id = message.original().content().id();
        String name = text(stored, "name");
        // Agents may write in other roles than their own.
        return switch (stored.path("role").asString("assistant")) {
            case "system" -> new Message.SystemPrompt(id, message.content(), name, null, marks, subagent);
            case "developer" -> new Message.Developer(id, message.content(), name, null, marks, subagent);
            case "user" -> new Message.User(id, new Content.Text(message.content()), name, null, marks, subagent);
            default -> {
                List<ToolCall> calls = Assembly.calls(stored);
                yield new Message.Assistant(
                        id,
                        message.content().isEmpty() && !calls.isEmpty() ? null : message.content(),
                        name,
                        calls,
                        null,
                        marks,
                        subagent);
            }
        };
    }

    private static Content content(String text, ObjectNode stored, Map<ObjectKey, String> links) {
        List<ContentPart> parts = new ArrayList<>();
        for (JsonNode file : MessageFiles.in(stored)) {
            ObjectKey.of(file.path("bucket").asString(""), file.path("path").asString(""))
                    .map(links::get)
                    .ifPresent(url -> parts.add(part(file, url)));
        }
        parts.addAll(MessageFiles.elsewhere(stored));
        if (parts.isEmpty()) {
            return new Content.Text(text);
        }
        if (!text.isEmpty()) {
            parts.addFirst(new ContentPart.Text(text));
        }
        return new Content.Parts(parts);
    }

    private static ContentPart part(JsonNode file, String url) {
        String type = file.path("mime_type").asString("application/octet-stream");
        String filename = text(file, "filename");
        return new ContentPart.Media(
                ContentPart.Medium.of(type),
                new ContentPart.UrlSource(url, type),
                text(file, "id"),
                filename == null ? null : Json.MAPPER.createObjectNode().put("filename", filename));
    }

    private static ObjectNode marks(RevisedMessage message, ObjectNode stored, @Nullable AnswerUsage usage) {
        ObjectNode marks = Json.MAPPER.createObjectNode();
        String run = text(stored, "run_id");
        if (run != null) {
            marks.put("runId", run);
        }
        marks.put("seq", message.original().seq());
        marks.put("senderId", message.original().content().author().value());
        if (usage != null) {
            marks.set("usage", usage(usage));
        }
        stored.properties().forEach(member -> {
            if (!INTERNAL.contains(member.getKey()) && !marks.has(member.getKey())) {
                marks.set(member.getKey(), member.getValue());
            }
        });
        return marks;
    }

    /** The usage as JSON, by the names of the agent face. Unknown counts are left out. */
    private static ObjectNode usage(AnswerUsage usage) {
        ObjectNode counts = Json.MAPPER.valueToTree(usage);
        counts.removeNulls();
        return counts;
    }

    private static @Nullable String text(JsonNode node, String name) {
        return node.path(name).isString() ? node.path(name).stringValue() : null;
    }
}
