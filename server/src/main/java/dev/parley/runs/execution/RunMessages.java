package dev.parley.runs.execution;

import dev.parley.log.Draft;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEntries;
import dev.parley.threads.Metadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages that a run leaves in the log: its texts with their calls, and the results of tools, in the order in
 * which they began. Each message has the id under which it was streamed, if that id is still free.
 */
final class RunMessages {
    private static final int MAX_THOUGHT = 16 * 1024;
    private static final int MAX_METADATA = 16 * 1024;
    /** Prefix for the keys of results, which sets them apart from texts. */
    private static final String RESULT = "result/";

    private final Run run;
    private final RunTimeline timeline;
    private final Function<String, List<Actor>> mentions;
    private final Map<String, PendingMessage> pending = new LinkedHashMap<>();
    private final List<Transcript.Reasoning> thoughts = new ArrayList<>();

    private RunMessages(Run run, RunTimeline timeline, Function<String, List<Actor>> mentions) {
        this.run = run;
        this.timeline = timeline;
        this.mentions = mentions;
    }

    /** @param mentions finds the participants of the thread that a text names */
    static List<Draft> of(
            Run run, Transcript transcript, RunTimeline timeline, Function<String, List<Actor>> mentions) {
        RunMessages messages = new RunMessages(run, timeline, mentions);
        transcript.items().forEach(messages::add);
        return messages.drafts();
    }

    /** The messages of a run that is rolled back. They keep their order and ids, but are withdrawn. */
    static List<Draft> withdrawn(Run run, Transcript transcript, RunTimeline timeline) {
        return marked("withdrawn", run, transcript, timeline);
    }

    /** The messages of a run whose question was answered anew before the run ended. */
    static List<Draft> superseded(Run run, Transcript transcript, RunTimeline timeline) {
        return marked("superseded", run, transcript, timeline);
    }

    private static List<Draft> marked(String mark, Run run, Transcript transcript, RunTimeline timeline) {
        RunMessages messages = new RunMessages(run, timeline, text -> List.of());
        transcript.items().forEach(messages::add);
        messages.pending.values().forEach(message -> message.metadata.put(mark, true));
        return messages.drafts();
    }

    /** A message that is not complete yet. The result of a tool is a message without calls. */
    private static final class PendingMessage {
        private final String id;
        private final ObjectNode metadata = Json.MAPPER.createObjectNode();
        private final List<ToolCall> calls = new ArrayList<>();
        private Role role = Role.ASSISTANT;
        private String text = "";

        PendingMessage(String id) {
            this.id = id;
        }
    }

    private void add(Transcript.Item item) {
        switch (item) {
            case Transcript.Text text -> {
                PendingMessage message = pending(text.id(), text.marks());
                message.text = text.text();
                if (text.role() != TextRole.ASSISTANT) {
                    message.metadata.put("role", text.role().toString());
                }
                if (text.name() != null) {
                    message.metadata.put("name", text.name());
                }
            }
            case Transcript.Call call -> {
                String owner = call.parentMessageId() == null ? call.id() : call.parentMessageId();
                pending(owner, call.marks()).calls.add(new ToolCall(call.id(), call.name(), call.arguments()));
            }
            case Transcript.Result result -> {
                // A result may have the id of a text; the two are still separate messages.
                PendingMessage message = pending(RESULT + result.id(), result.id(), result.marks());
                message.role = Role.TOOL;
                message.text = result.content().plainText();
                message.metadata.put("tool_call_id", result.toolCallId());
                toolName(result.toolCallId()).ifPresent(name -> message.metadata.put("tool_name", name));
            }
            case Transcript.Reasoning reasoning -> thoughts.add(reasoning);
        }
    }

    private Optional<String> toolName(String call) {
        return pending.values().stream()
                .flatMap(message -> message.calls.stream())
                .filter(each -> each.id().equals(call))
                .map(each -> each.function().name())
                .findFirst();
    }

    private PendingMessage pending(String id, Transcript.Marks marks) {
        return pending(id, id, marks);
    }

    private PendingMessage pending(String key, String id, Transcript.Marks marks) {
        PendingMessage message = pending.computeIfAbsent(key, each -> new PendingMessage(id));
        Map<String, JsonNode> given = Metadata.ofAgent(marks.metadata());
        if (Json.MAPPER.writeValueAsString(given).length() <= MAX_METADATA) {
            given.forEach(message.metadata::set);
        } else {
            message.metadata.put("truncated", true);
        }
        if (marks.state() == Transcript.State.CUT) {
            message.metadata.put("partial", true);
        }
        if (marks.subagentRunId() != null) {
            message.metadata.put("subagent_run_id", marks.subagentRunId());
            timeline.nameOf(marks.subagentRunId()).ifPresent(name -> message.metadata.put("agent_name", name));
        }
        think(message);
        return message;
    }

    /** Adds the thoughts so far to the message that follows them. */
    private void think(PendingMessage message) {
        for (Transcript.Reasoning thought : thoughts) {
            ArrayNode reasoning = message.metadata.withArray("reasoning");
            String text = thought.text();
            ObjectNode entry = reasoning.addObject().put("id", thought.id()).put("content", start(text));
            if (text.length() > MAX_THOUGHT) {
                entry.put("truncated", true);
            }
        }
        thoughts.clear();
    }

    /**
     * The start of a thought. Long thoughts are cut, because all readers of the message receive them; the run's events
     * contain the whole thought.
     */
    private static String start(String thought) {
        return thought.length() <= MAX_THOUGHT
                ? thought
                : thought.substring(
                        0, Character.isHighSurrogate(thought.charAt(MAX_THOUGHT - 1)) ? MAX_THOUGHT - 1 : MAX_THOUGHT);
    }

    private List<Draft> drafts() {
        if (!thoughts.isEmpty() && !pending.isEmpty()) {
            // No message followed these thoughts.
            think(new ArrayList<>(pending.values()).getLast());
        }
        List<Draft> drafts = new ArrayList<>();
        for (PendingMessage message : pending.values()) {
            if (!message.text.isEmpty() || !message.calls.isEmpty() || message.role == Role.TOOL) {
                drafts.add(draft(message));
            }
        }
        return drafts;
    }

    private Draft draft(PendingMessage message) {
        RunTimeline.Moment moment = timeline.of(
                message.calls.isEmpty() || !message.text.isEmpty()
                        ? message.id
                        : message.calls.getFirst().id());
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.put("run_id", run.runId());
        metadata.put("stage", moment.stage());
        metadata.put("latency_ms", moment.latencyMillis());
        metadata.put("message_id", message.id);
        metadata.setAll(message.metadata);
        if (!message.calls.isEmpty()) {
            metadata.set("tool_calls", Json.MAPPER.valueToTree(message.calls));
        }
        List<Actor> named = message.role == Role.ASSISTANT ? mentions.apply(message.text) : List.of();
        return RunEntries.message(message.id, run.agent(), message.role, message.text, metadata, named, null);
    }
}
