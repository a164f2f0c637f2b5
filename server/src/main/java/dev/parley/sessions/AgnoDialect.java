package dev.parley.sessions;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.runs.external.EventLanguage;
import dev.parley.runs.external.RunProgress;
import dev.parley.runs.guard.SubagentState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Translates the events of Agno's agents and teams (<a href="https://docs.agno.com">docs.agno.com</a>) to AG-UI. Text,
 * reasoning, tool calls and ends become AG-UI's own events; any other event, of this version of Agno or a later one, is
 * passed on under its name. Events of a team's members belong to child runs of the team's run.
 */
final class AgnoDialect implements EventLanguage {
    /**
     * The maximum size of an event that is passed on with its contents. Larger events lose their contents, because
     * viewers' frames are not meant for files.
     */
    private static final int MAX_PASSED_CHARACTERS = 64 * 1024;

    private static final int MAX_MESSAGE = 4_000;
    private static final List<String> ENVELOPE = List.of(
            "event",
            "created_at",
            "run_id",
            "parent_run_id",
            "session_id",
            "agent_id",
            "agent_name",
            "team_id",
            "team_name");

    @Override
    public void requireReadable(JsonNode event, String path) {
        AgnoEvent.require(event, path);
    }

    @Override
    public Words read(JsonNode json, long number, RunProgress progress) {
        AgnoEvent event = new AgnoEvent(json);
        String owner = event.owner(progress.run().runId());
        AgnoVoice voice = new AgnoVoice(progress, owner, number);
        if (owner != null && progress.progressOf(owner) == SubagentState.DONE) {
            // The member's run has ended; its usage counts all the same.
            return new Words(List.of(), StreamEffect.of(event, owner, number, progress, voice), false);
        }
        if (owner != null) {
            voice.begin(owner, event);
        }
        speak(voice, event, owner, progress);
        return new Words(
                voice.events(),
                StreamEffect.of(event, owner, number, progress, voice),
                owner == null && event.kind().equals("RunPaused"));
    }

    private static void speak(AgnoVoice voice, AgnoEvent event, @Nullable String owner, RunProgress progress) {
        JsonNode tool = event.json().path("tool");
        switch (event.kind()) {
            // A run begins with its first event of any kind, so nothing remains to be done.
            case "RunStarted" -> {}
            case "RunContent" -> {
                voice.addThought(event.text("reasoning_content"));
                voice.addText(event.text("content"));
            }
            case "RunContentCompleted" -> {
                voice.endThought();
                voice.endText();
            }
            case "ToolCallStarted" -> voice.call(tool);
            case "ToolCallCompleted" ->
                voice.answer(
                        tool,
                        AgnoEvent.text(tool.path("result")),
                        tool.path("tool_call_error").asBoolean(false));
            case "ToolCallError" -> {
                String error = event.text("error");
                voice.answer(tool, error.isEmpty() ? AgnoEvent.text(tool.path("result")) : error, true);
            }
            case "ReasoningStarted" -> voice.beginThought();
            case "ReasoningContentDelta" -> voice.addThought(event.text("reasoning_content"));
            case "ReasoningStep" -> voice.addThoughtSoFar(event.text("reasoning_content"));
            case "ReasoningCompleted" -> {
                voice.addThoughtSoFar(event.text("reasoning_content"));
                voice.endThought();
            }
            case "RunCompleted" -> complete(voice, event, owner, progress);
            case "RunError" -> fail(voice, event, owner);
            case "RunCancelled" -> cancel(voice, event, owner, progress);
            default -> voice.add(new PassedEvent.Custom(event.name(), bounded(event.json()), owner, Common.NONE));
        }
    }

    /**
     * Emits text that was not streamed. If any text was streamed, the stored message corrects the differences later.
     */
    private static void complete(AgnoVoice voice, AgnoEvent event, @Nullable String owner, RunProgress progress) {
        if (!progress.hasSpoken(owner)) {
            if (progress.thoughts(owner).isEmpty()) {
                voice.addThought(event.text("reasoning_content"));
            }
            voice.addText(event.text("content"));
        }
        voice.endThought();
        voice.endText();
        voice.add(
                owner == null
                        ? new RunEvent.Finished(
                                progress.run().thread().toString(),
                                progress.run().runId())
                        : new SubagentEvent.Finished(owner));
    }

    private static void fail(AgnoVoice voice, AgnoEvent event, @Nullable String owner) {
        String detail = Text.startWithin(Text.mended(event.text("content")), MAX_MESSAGE);
        String message = detail.isBlank() ? "The agent failed." : detail;
        String code = event.id("error_type").or(() -> event.id("error_id")).orElse("agent_error");
        voice.add(owner == null ? new RunEvent.Failed(message, code) : new SubagentEvent.Failed(owner, message, code));
    }

    private static void cancel(AgnoVoice voice, AgnoEvent event, @Nullable String owner, RunProgress progress) {
        String reason = Text.startWithin(Text.mended(event.text("reason")), MAX_MESSAGE);
        voice.add(
                owner == null
                        ? new RunEvent.Finished(
                                progress.run().thread().toString(),
                                progress.run().runId(),
                                new Outcome.Cancelled())
                        : new SubagentEvent.Failed(
                                owner, reason.isBlank() ? "The run was cancelled." : reason, "cancelled"));
    }

    private static JsonNode bounded(JsonNode event) {
        if (Json.MAPPER.writeValueAsString(event).length() <= MAX_PASSED_CHARACTERS) {
            return event;
        }
        ObjectNode reduced = Json.MAPPER.createObjectNode();
        for (String member : ENVELOPE) {
            JsonNode value = event.path(member);
            if (value.isNumber() || value.isString() && Text.isAtMost(value.stringValue(), MAX_MESSAGE)) {
                reduced.set(member, value);
            }
        }
        return reduced.put("truncated", true);
    }
}
