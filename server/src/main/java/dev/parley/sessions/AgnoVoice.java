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
 * Puts what one event of Agno says into AG-UI's words. Deltas there name no message, so ids are made here, from the run
 * and the number of the event that begins something: whoever reads the log finds them again.
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
     * @param owner whose event it is; null for the run itself
     * @param number of the event
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

    /** The message that a request has made which is complete now; empty while it has made none. */
    Optional<String> messageSoFar() {
        return progress.messageOfNextCall(owner);
    }

    /** The last message of all, this event's included. */
    Optional<String> latestMessage() {
        return begun.isEmpty() ? progress.latestMessage(owner) : Optional.of(begun.getLast());
    }

    void add(AguiEvent event) {
        events.add(event);
    }

    /** A run below begins, unless it is known. One whose parent is not known is shown under the run itself. */
    void begin(String helper, AgnoEvent event) {
        if (progress.progressOf(helper) != SubagentState.UNKNOWN) {
            return;
        }
        String name = event.label("agent_name")
                .or(() -> event.label("team_name"))
                .or(() -> event.label("agent_id"))
                .or(() -> event.label("team_id"))
                .orElse("Agent");
        String parent = event.id("parent_run_id")
                .filter(id -> !id.equals(helper) && progress.progressOf(id) != SubagentState.UNKNOWN)
                .orElse(null);
        add(new SubagentEvent.Started(helper, name, null, parent, null, null, Common.NONE));
    }

    void say(String text) {
        if (text.isEmpty()) {
            return;
        }
        endThought();
        String id = openText;
        if (id == null) {
            id = made("text", String.valueOf(number));
            begun.add(id);
            add(new TextEvent.Start(id, TextRole.ASSISTANT, null, owner, Common.NONE));
            openText = id;
        }
        add(new TextEvent.Content(id, text, owner, Common.NONE));
    }

    void beginThought() {
        endText();
        if (openThought == null) {
            String id = made("thought", String.valueOf(number));
            add(new ReasoningEvent.Start(id, owner, Common.NONE));
            add(new ReasoningEvent.MessageStart(id, owner, Common.NONE));
            openThought = id;
        }
    }

    void think(String delta) {
        if (!delta.isEmpty()) {
            beginThought();
            add(new ReasoningEvent.MessageContent(Objects.requireNonNull(openThought), delta, owner, Common.NONE));
        }
    }

    /** Some events repeat all that was thought so far, or the thought that goes on, and add to it. */
    void thinkOn(String all) {
        List<CharSequence> before = progress.thoughts(owner);
        int known = lengthAtStart(all, before);
        if (known == 0 && openThought != null && !before.isEmpty()) {
            known = lengthAtStart(all, List.of(before.getLast()));
        }
        think(all.substring(known));
    }

    /** How long these are together if the text begins with all of them; else 0. */
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

    /** A call, whole as it is told; one that waits for its result is told of only once. */
    void call(JsonNode tool) {
        AgnoCall call = callOf(tool);
        if (known(call).filter(id -> !progress.isAnswered(id)).isEmpty()) {
            makeCall(call, tool);
        }
    }

    /** What a call came to; the first result is the result. */
    void answer(JsonNode tool, String text, boolean failed) {
        AgnoCall given = callOf(tool);
        String call = known(given).orElseGet(() -> makeCall(given, tool));
        if (progress.isAnswered(call)) {
            return;
        }
        endThought();
        endText();
        add(new ToolEvent.Result(
                made("result", call),
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
        // Asked before anything is closed: the text before a call is the message that makes it.
        Optional<String> before = progress.messageOfNextCall(owner);
        endThought();
        endText();
        String logged = call.logged(made("call", String.valueOf(number)));
        String id = progress.hasCall(logged) ? call.loggedAgain(number) : logged;
        String message = before.orElseGet(() -> made("turn", String.valueOf(number)));
        if (before.isEmpty()) {
            begun.add(message);
        }
        add(new ToolEvent.Start(id, call.tool(), message, owner, Common.NONE));
        String arguments = AgnoEvent.said(tool.path("tool_args"));
        if (!arguments.isEmpty()) {
            add(new ToolEvent.Args(id, arguments, owner, Common.NONE));
        }
        add(new ToolEvent.End(id, owner, Common.NONE));
        return id;
    }

    /** The call that Agno means; of several with its id the last one of this owner. */
    private Optional<String> known(AgnoCall call) {
        return progress.lastCall(new OwnersKey(owner, call.key()), AgnoVoice::keysOf)
                .map(ToolEvent.Start::toolCallId)
                // One without an id is not to be mistaken for an earlier one of the same tool.
                .filter(id -> call.id() != null || !progress.isAnswered(id));
    }

    private record OwnersKey(@Nullable String owner, String key) {}

    private static List<OwnersKey> keysOf(ToolEvent.Start call) {
        return AgnoCall.keysOf(call.toolCallId(), call.toolCallName()).stream()
                .map(key -> new OwnersKey(call.subagentRunId(), key))
                .toList();
    }

    private String made(String kind, String key) {
        UUID task = progress.run().taskId();
        // Of the time at which the run began, so that ids of messages are in the order of their runs.
        return UuidV7.named(UuidV7.millisOf(task), task + "/" + kind + "/" + owner + "/" + key)
                .toString();
    }
}
