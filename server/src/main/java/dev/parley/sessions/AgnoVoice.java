package dev.parley.sessions;

import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.external.RunProgress;
import dev.parley.runs.guard.SubagentState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Turns one event of Agno into AG-UI's events. Agno's deltas name no message. Therefore this class derives ids from the
 * run and the number of the event that begins a message. A later reader of the log derives the same ids.
 */
final class AgnoVoice {
    private final RunProgress progress;
    private final @Nullable String owner;
    private final long number;
    private final List<AguiEvent> events = new ArrayList<>();
    private final List<String> begun = new ArrayList<>();
    private @Nullable String openText;
    private @Nullable String openThought;

    /**
     * @param owner the run that the event belongs to; null for the run itself
     * @param number the number of the event
     */
    AgnoVoice(RunProgress progress, @Nullable String owner, long number) {
        this.progress = progress;
        this.owner = owner;
        this.number = number;
        this.openText = progress.openText(owner).orElse(null);
        this.openThought = progress.openThought(owner).orElse(null);
    }

    List<AguiEvent> events() {
        return events;
    }

    /** The messages that begin with this event. */
    List<String> begun() {
        return begun;
    }

    /** The message of the model request that has just completed; empty if the message has not begun yet. */
    Optional<String> messageSoFar() {
        return progress.messageOfNextCall(owner);
    }

    /** The newest message of the owner, including those that begin with this event. */
    Optional<String> latestMessage() {
        return begun.isEmpty() ? progress.latestMessage(owner) : Optional.of(begun.getLast());
    }

    void add(AguiEvent event) {
        events.add(event);
    }

    /**
     * Begins a child run, unless the child run is known. A child run whose parent is unknown is shown as a child of the
     * run itself.
     */
    void begin(String member, AgnoEvent event) {
        if (progress.progressOf(member) != SubagentState.UNKNOWN) {
            return;
        }
        String name = event.label("agent_name")
                .or(() -> event.label("team_name"))
                .or(() -> event.label("agent_id"))
                .or(() -> event.label("team_id"))
                .orElse("Agent");
        String parent = event.id("parent_run_id")
                .filter(id -> !id.equals(member) && progress.progressOf(id) != SubagentState.UNKNOWN)
                .orElse(null);
        add(new SubagentEvent.Started(member, name, null, parent, null, null, Common.NONE));
    }

    void addText(String text) {
        if (text.isEmpty()) {
            return;
        }
        endThought();
        String id = openText;
        if (id == null) {
            id = newId("text", String.valueOf(number));
            begun.add(id);
            add(new TextEvent.Start(id, TextRole.ASSISTANT, null, owner, Common.NONE));
            openText = id;
        }
        add(new TextEvent.Content(id, text, owner, Common.NONE));
    }

    void beginThought() {
        endText();
        if (openThought == null) {
            String id = newId("thought", String.valueOf(number));
            add(new ReasoningEvent.Start(id, owner, Common.NONE));
            add(new ReasoningEvent.MessageStart(id, owner, Common.NONE));
            openThought = id;
        }
    }

    void addThought(String delta) {
        if (!delta.isEmpty()) {
            beginThought();
            add(new ReasoningEvent.MessageContent(Objects.requireNonNull(openThought), delta, owner, Common.NONE));
        }
    }

    /**
     * Adds the new part of a text. The text repeats all reasoning so far, or only the open reasoning message, and then
     * continues.
     */
    void addThoughtSoFar(String all) {
        List<CharSequence> before = progress.thoughts(owner);
        int known = lengthAtStart(all, before);
        if (known == 0 && openThought != null && !before.isEmpty()) {
            known = lengthAtStart(all, List.of(before.getLast()));
        }
        addThought(all.substring(known));
    }

    /** The total length of all parts if the text begins with them, or else 0. */
    private static int lengthAtStart(String text, List<CharSequence> parts) {
        int length = 0;
        for (CharSequence part : parts) {
            int end = length + part.length();
            if (end > text.length() || !text.substring(length, end).contentEquals(part)) {
                return 0;
            }
            length = end;
        }
        return length;
    }

    void endThought() {
        String id = openThought;
        if (id != null) {
            add(new ReasoningEvent.MessageEnd(id, owner, Common.NONE));
            add(new ReasoningEvent.End(id, owner, Common.NONE));
            openThought = null;
        }
    }

    void endText() {
        String id = openText;
        if (id != null) {
            add(new TextEvent.End(id, owner, Common.NONE));
            openText = null;
        }
    }

    /** Adds a complete call. A call that still waits for its result is added only once. */
    void call(JsonNode tool) {
        AgnoCall call = callOf(tool);
        if (logged(call).filter(id -> !progress.isAnswered(id)).isEmpty()) {
            makeCall(call, tool);
        }
    }

    /** Adds the result of a call; later results of the same call are dropped. */
    void answer(JsonNode tool, String text, boolean failed) {
        AgnoCall given = callOf(tool);
        String call = logged(given).orElseGet(() -> makeCall(given, tool));
        if (progress.isAnswered(call)) {
            return;
        }
        endThought();
        endText();
        add(new ToolEvent.Result(
                newId("result", call),
                call,
                new Content.Text(text),
                "tool",
                owner,
                failed ? Common.metadata(Json.MAPPER.createObjectNode().put("tool_failed", true)) : Common.NONE));
    }

    private static AgnoCall callOf(JsonNode tool) {
        return AgnoCall.of(tool.path("tool_call_id"), tool.path("tool_name"));
    }

    private String makeCall(AgnoCall call, JsonNode tool) {
        // Read before the text is closed, because the text before a call is the message that makes the call.
        Optional<String> before = progress.messageOfNextCall(owner);
        endThought();
        endText();
        String logged = call.logId(newId("call", String.valueOf(number)));
        String id = progress.hasCall(logged) ? call.numberedLogId(number) : logged;
        String message = before.orElseGet(() -> newId("turn", String.valueOf(number)));
        if (before.isEmpty()) {
            begun.add(message);
        }
        add(new ToolEvent.Start(id, call.tool(), message, owner, Common.NONE));
        String arguments = AgnoEvent.text(tool.path("tool_args"));
        if (!arguments.isEmpty()) {
            add(new ToolEvent.Args(id, arguments, owner, Common.NONE));
        }
        add(new ToolEvent.End(id, owner, Common.NONE));
        return id;
    }

    /**
     * The id in the log for an Agno call. If several calls of this owner have Agno's id, the last of these calls is
     * meant.
     */
    private Optional<String> logged(AgnoCall call) {
        return progress.lastCall(new OwnersKey(owner, call.key()), AgnoVoice::keysOf)
                .map(ToolEvent.Start::toolCallId)
                // A call without an id is never an earlier, answered call of the same tool.
                .filter(id -> call.id() != null || !progress.isAnswered(id));
    }

    private record OwnersKey(@Nullable String owner, String key) {}

    private static List<OwnersKey> keysOf(ToolEvent.Start call) {
        return AgnoCall.keysOf(call.toolCallId(), call.toolCallName()).stream()
                .map(key -> new OwnersKey(call.subagentRunId(), key))
                .toList();
    }

    private String newId(String kind, String key) {
        UUID task = progress.run().taskId();
        // The id contains the time at which the run began, so that ids of messages sort in the order of their runs.
        return UuidV7.named(UuidV7.millisOf(task), task + "/" + kind + "/" + owner + "/" + key)
                .toString();
    }
}
