package dev.parley.runs.guard;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a span that an agent streams as chunks.
 *
 * @param id null in a chunk that continues the open span
 * @param name the name of a text's author, or of the tool
 */
record ChunkedSpan(
        Span.Kind kind,
        @Nullable String id,
        @Nullable String owner,
        @Nullable TextRole role,
        @Nullable String name,
        @Nullable String parentMessageId) {
    static ChunkedSpan of(TextEvent.Chunk chunk) {
        return new ChunkedSpan(
                Span.Kind.TEXT, chunk.messageId(), chunk.subagentRunId(), chunk.role(), chunk.name(), null);
    }

    static ChunkedSpan of(ToolEvent.Chunk chunk) {
        return new ChunkedSpan(
                Span.Kind.TOOL_CALL,
                chunk.toolCallId(),
                chunk.subagentRunId(),
                null,
                chunk.toolCallName(),
                chunk.parentMessageId());
    }

    static ChunkedSpan of(ReasoningEvent.MessageChunk chunk) {
        return new ChunkedSpan(Span.Kind.REASONING_MESSAGE, chunk.messageId(), chunk.subagentRunId(), null, null, null);
    }

    /** This chunk with the id and the owner of the open span, because the chunk itself has no id. */
    ChunkedSpan named(Span open) {
        return new ChunkedSpan(kind, open.id(), open.owner(), role, name, parentMessageId);
    }

    void requireOpener() throws IllegalSequence {
        if (id == null) {
            throw new IllegalSequence("a first chunk of a " + kind + " without its id");
        }
        if (kind == Span.Kind.TOOL_CALL && name == null) {
            throw new IllegalSequence("a first chunk of " + kind + " '" + id + "' without its tool's name");
        }
    }

    /** A later chunk may repeat the properties of the first chunk, but must not contradict them. */
    void requireAgreement(ChunkedSpan chunk) throws IllegalSequence {
        TextRole established = role == null ? TextRole.ASSISTANT : role;
        if (chunk.owner != null && !chunk.owner.equals(owner)
                || chunk.role != null && chunk.role != established
                || chunk.name != null && !chunk.name.equals(name)
                || chunk.parentMessageId != null && !chunk.parentMessageId.equals(parentMessageId)) {
            throw new IllegalSequence("a chunk of " + kind + " '" + id + "' that contradicts its first one");
        }
    }

    AguiEvent start(Common common) {
        String opened = Objects.requireNonNull(id);
        return switch (kind) {
            case TEXT -> new TextEvent.Start(opened, role == null ? TextRole.ASSISTANT : role, name, owner, common);
            case TOOL_CALL -> new ToolEvent.Start(opened, Objects.requireNonNull(name), parentMessageId, owner, common);
            case REASONING_MESSAGE -> new ReasoningEvent.MessageStart(opened, owner, common);
            case REASONING_SPAN, STEP, SUBAGENT -> throw new IllegalStateException("no chunks of a " + kind);
        };
    }

    AguiEvent content(String delta, @Nullable String claimed, Common common) {
        String opened = Objects.requireNonNull(id);
        return switch (kind) {
            case TEXT -> new TextEvent.Content(opened, delta, claimed, common);
            case TOOL_CALL -> new ToolEvent.Args(opened, delta, claimed, common);
            case REASONING_MESSAGE -> new ReasoningEvent.MessageContent(opened, delta, claimed, common);
            case REASONING_SPAN, STEP, SUBAGENT -> throw new IllegalStateException("no chunks of a " + kind);
        };
    }

    AguiEvent end() {
        String opened = Objects.requireNonNull(id);
        return switch (kind) {
            case TEXT -> new TextEvent.End(opened, owner, Common.NONE);
            case TOOL_CALL -> new ToolEvent.End(opened, owner, Common.NONE);
            case REASONING_MESSAGE -> new ReasoningEvent.MessageEnd(opened, owner, Common.NONE);
            case REASONING_SPAN, STEP, SUBAGENT -> throw new IllegalStateException("no chunks of a " + kind);
        };
    }
}
