package dev.parley.protocol.agui;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads events. The type of an event decides which fields are read. */
final class EventReader {
    private EventReader() {}

    static Optional<AguiEvent> event(CheckedNode at) {
        if (!at.holdsMembers()) {
            return Optional.empty();
        }
        CheckedNode type = at.at("type");
        String name = type.text();
        if (!type.isText()) {
            return Optional.empty();
        }
        Common common = new Common(
                at.at("timestamp").optionalTimestamp(),
                at.at("rawEvent").optionalAny(),
                at.at("metadata").optionalObject());
        return Optional.of(
                switch (name) {
                    case "RUN_STARTED" -> {
                        CheckedNode input = at.at("input");
                        yield new RunEvent.Started(
                                text(at, "threadId"),
                                text(at, "runId"),
                                optional(at, "protocolVersion"),
                                optional(at, "parentRunId"),
                                input.isPresent() ? InputReader.input(input).orElse(null) : null,
                                common);
                    }
                    case "RUN_FINISHED" ->
                        new RunEvent.Finished(
                                text(at, "threadId"),
                                text(at, "runId"),
                                at.at("result").optionalAny(),
                                OutcomeReader.outcome(at.at("outcome")),
                                usage(at),
                                common);
                    case "RUN_ERROR" ->
                        new RunEvent.Failed(text(at, "message"), optional(at, "code"), usage(at), common);
                    case "MESSAGES_SNAPSHOT" ->
                        new MessagesSnapshot(at.at("messages").list(MessageReader::message), common);
                    default -> attributed(name, at, at.at("subagentRunId"), common);
                });
    }

    private static AguiEvent attributed(String type, CheckedNode at, CheckedNode owner, Common common) {
        String subagent = type.startsWith("SUBAGENT_") ? null : owner.optionalText();
        return switch (type) {
            case "STEP_STARTED" -> new StepEvent.Started(text(at, "stepName"), subagent, common);
            case "STEP_FINISHED" -> new StepEvent.Finished(text(at, "stepName"), subagent, common);
            case "TEXT_MESSAGE_START" ->
                new TextEvent.Start(messageId(at), role(at), optional(at, "name"), subagent, common);
            case "TEXT_MESSAGE_CONTENT" -> new TextEvent.Content(messageId(at), text(at, "delta"), subagent, common);
            case "TEXT_MESSAGE_END" -> new TextEvent.End(messageId(at), subagent, common);
            case "TEXT_MESSAGE_CHUNK" ->
                new TextEvent.Chunk(
                        optional(at, "messageId"),
                        role(at),
                        optional(at, "delta"),
                        optional(at, "name"),
                        subagent,
                        common);
            case "TOOL_CALL_START" ->
                new ToolEvent.Start(
                        text(at, "toolCallId"),
                        text(at, "toolCallName"),
                        optional(at, "parentMessageId"),
                        subagent,
                        common);
            case "TOOL_CALL_ARGS" -> new ToolEvent.Args(text(at, "toolCallId"), text(at, "delta"), subagent, common);
            case "TOOL_CALL_END" -> new ToolEvent.End(text(at, "toolCallId"), subagent, common);
            case "TOOL_CALL_CHUNK" ->
                new ToolEvent.Chunk(
                        optional(at, "toolCallId"),
                        optional(at, "toolCallName"),
                        optional(at, "parentMessageId"),
                        optional(at, "delta"),
                        subagent,
                        common);
            case "TOOL_CALL_RESULT" -> {
                CheckedNode role = at.at("role");
                if (role.isPresent()) {
                    role.constant("tool");
                }
                yield new ToolEvent.Result(
                        messageId(at),
                        text(at, "toolCallId"),
                        MessageReader.content(at.at("content")),
                        role.isText() ? role.optionalText() : null,
                        subagent,
                        common);
            }
            case "STATE_SNAPSHOT" -> new StateEvent.Snapshot(at.at("snapshot").any(), subagent, common);
            case "STATE_DELTA" -> new StateEvent.Delta(PatchReader.patch(at.at("delta")), subagent, common);
            case "ACTIVITY_SNAPSHOT" ->
                new ActivityEvent.Snapshot(
                        messageId(at),
                        text(at, "activityType"),
                        at.at("content").object(),
                        at.at("replace").optionalFlag(),
                        subagent,
                        common);
            case "ACTIVITY_DELTA" ->
                new ActivityEvent.Delta(
                        messageId(at), text(at, "activityType"), PatchReader.patch(at.at("patch")), subagent, common);
            case "RAW" -> new PassedEvent.Raw(at.at("event").any(), optional(at, "source"), subagent, common);
            case "CUSTOM" ->
                new PassedEvent.Custom(text(at, "name"), at.at("value").any(), subagent, common);
            case "SUBAGENT_STARTED" ->
                new SubagentEvent.Started(
                        owner.text(),
                        text(at, "name"),
                        optional(at, "description"),
                        optional(at, "parentSubagentRunId"),
                        optional(at, "parentToolCallId"),
                        optional(at, "parentMessageId"),
                        common);
            case "SUBAGENT_FINISHED" ->
                new SubagentEvent.Finished(
                        owner.text(),
                        at.at("result").optionalAny(),
                        OutcomeReader.subagentOutcome(at.at("outcome")),
                        common);
            case "SUBAGENT_ERROR" ->
                new SubagentEvent.Failed(owner.text(), text(at, "message"), optional(at, "code"), common);
            default -> reasoning(type, at, subagent, common);
        };
    }

    private static AguiEvent reasoning(String type, CheckedNode at, @Nullable String subagent, Common common) {
        return switch (type) {
            case "REASONING_START" -> new ReasoningEvent.Start(messageId(at), subagent, common);
            case "REASONING_END" -> new ReasoningEvent.End(messageId(at), subagent, common);
            case "REASONING_MESSAGE_START" -> {
                at.at("role").constant("reasoning");
                yield new ReasoningEvent.MessageStart(messageId(at), subagent, common);
            }
            case "REASONING_MESSAGE_CONTENT" ->
                new ReasoningEvent.MessageContent(messageId(at), text(at, "delta"), subagent, common);
            case "REASONING_MESSAGE_END" -> new ReasoningEvent.MessageEnd(messageId(at), subagent, common);
            case "REASONING_MESSAGE_CHUNK" ->
                new ReasoningEvent.MessageChunk(optional(at, "messageId"), optional(at, "delta"), subagent, common);
            case "REASONING_ENCRYPTED_VALUE" ->
                new ReasoningEvent.EncryptedValue(
                        at.at("subtype").choice(ReasoningEvent.Subtype.values()),
                        text(at, "entityId"),
                        text(at, "encryptedValue"),
                        subagent,
                        common);
            default -> new UnknownEvent(type, at.object());
        };
    }

    private static List<TokenUsage> usage(CheckedNode at) {
        return UsageReader.usage(at.at("usage").optionalAny());
    }

    private static String messageId(CheckedNode at) {
        return text(at, "messageId");
    }

    private static @Nullable TextRole role(CheckedNode at) {
        return at.at("role").optionalChoice(TextRole.values());
    }

    private static String text(CheckedNode at, String member) {
        return at.at(member).text();
    }

    private static @Nullable String optional(CheckedNode at, String member) {
        return at.at(member).optionalText();
    }
}
