package dev.parley.history;

import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.runs.guard.Transcript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages of a run so far. They are divided in the same way as by a client that has followed the run from its
 * beginning.
 */
public final class RunTranscript {
    private RunTranscript() {}

    /** A turn of the agent: a text, its calls, or both. */
    private static final class Turn {
        private final String id;
        private final List<ToolCall> calls = new ArrayList<>();
        private @Nullable String text;
        private @Nullable String name;
        private @Nullable String subagent;
        private @Nullable ObjectNode metadata;
        private TextRole role = TextRole.ASSISTANT;

        Turn(String id) {
            this.id = id;
        }

        Message message() {
            String content = text == null ? "" : text;
            return switch (role) {
                case ASSISTANT -> new Message.Assistant(id, text, name, calls, null, metadata, subagent);
                case USER -> new Message.User(id, new Content.Text(content), name, null, metadata, subagent);
                case SYSTEM -> new Message.SystemPrompt(id, content, name, null, metadata, subagent);
                case DEVELOPER -> new Message.Developer(id, content, name, null, metadata, subagent);
            };
        }
    }

    public static List<Message> of(List<Transcript.Item> items) {
        Map<String, Object> messages = new LinkedHashMap<>();
        for (Transcript.Item item : items) {
            switch (item) {
                case Transcript.Text text -> {
                    Turn turn = turn(messages, text.id(), text.marks());
                    turn.text = text.text();
                    turn.name = text.name();
                    turn.role = text.role();
                }
                case Transcript.Call call -> {
                    String owner = call.parentMessageId() == null ? call.id() : call.parentMessageId();
                    turn(messages, owner, call.marks())
                            .calls
                            .add(new ToolCall(call.id(), call.name(), call.arguments()));
                }
                case Transcript.Result result ->
                    messages.put(
                            "result/" + result.id(),
                            new Message.Tool(
                                    result.id(),
                                    result.content(),
                                    result.toolCallId(),
                                    null,
                                    null,
                                    result.marks().metadata(),
                                    result.marks().subagentRunId()));
                case Transcript.Reasoning thought ->
                    messages.put(
                            "thought/" + thought.id(),
                            new Message.Reasoning(
                                    thought.id(),
                                    thought.text(),
                                    thought.marks().encryptedValue(),
                                    thought.marks().metadata(),
                                    thought.marks().subagentRunId()));
            }
        }
        return messages.values().stream()
                .map(each -> each instanceof Turn turn ? turn.message() : (Message) each)
                .toList();
    }

    private static Turn turn(Map<String, Object> messages, String id, Transcript.Marks marks) {
        Turn turn = (Turn) messages.computeIfAbsent("turn/" + id, key -> new Turn(id));
        turn.subagent = marks.subagentRunId();
        if (marks.metadata() != null) {
            turn.metadata = marks.metadata();
        }
        return turn;
    }
}
