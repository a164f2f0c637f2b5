package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/** A step in the stream of a tool call, or its result. */
public sealed interface ToolEvent extends AttributedEvent {
    record Start(
            String toolCallId,
            String toolCallName,
            @Nullable String parentMessageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ToolEvent {
        public Start(String toolCallId, String toolCallName, @Nullable String parentMessageId) {
            this(toolCallId, toolCallName, parentMessageId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TOOL_CALL_START";
        }
    }

    record Args(
            String toolCallId,
            String delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ToolEvent {
        public Args(String toolCallId, String delta) {
            this(toolCallId, delta, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TOOL_CALL_ARGS";
        }
    }

    record End(
            String toolCallId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ToolEvent {
        public End(String toolCallId) {
            this(toolCallId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TOOL_CALL_END";
        }
    }

    /**
     * Start, arguments and end of a tool call in one event. The first chunk names the call and the tool; the following
     * chunks may leave both out.
     */
    record Chunk(
            @Nullable String toolCallId,
            @Nullable String toolCallName,
            @Nullable String parentMessageId,
            @Nullable String delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ToolEvent {
        @Override
        public String type() {
            return "TOOL_CALL_CHUNK";
        }
    }

    /**
     * The result of a tool call, which becomes a tool message.
     *
     * @param role {@code tool}, or absent, which means the same
     */
    record Result(
            String messageId,
            String toolCallId,
            Content content,
            @Nullable String role,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ToolEvent {
        public Result(String messageId, String toolCallId, String content) {
            this(messageId, toolCallId, new Content.Text(content), "tool", null, Common.NONE);
        }

        @Override
        public String type() {
            return "TOOL_CALL_RESULT";
        }
    }
}
