package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.node.ObjectNode;

/** A message of a conversation. Each role has a record of its own. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "role"})
@JsonDeserialize(using = AguiJson.MessageDeserializer.class)
public sealed interface Message {
    String id();

    @JsonProperty
    String role();

    @Nullable
    ObjectNode metadata();

    /** The subagent that owns the message; null for the run's own agent. */
    @Nullable
    String subagentRunId();

    record User(
            String id,
            Content content,
            @Nullable String name,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        public User(String id, String text) {
            this(id, new Content.Text(text), null, null, null, null);
        }

        @Override
        public String role() {
            return "user";
        }
    }

    /** @param content absent if the turn consists of tool calls only */
    record Assistant(
            String id,
            @Nullable String content,
            @Nullable String name,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCall> toolCalls,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        public Assistant {
            toolCalls = List.copyOf(toolCalls);
        }

        @Override
        public String role() {
            return "assistant";
        }
    }

    record Tool(
            String id,
            Content content,
            String toolCallId,
            @Nullable String error,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        @Override
        public String role() {
            return "tool";
        }
    }

    record SystemPrompt(
            String id,
            String content,
            @Nullable String name,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        @Override
        public String role() {
            return "system";
        }
    }

    record Developer(
            String id,
            String content,
            @Nullable String name,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        @Override
        public String role() {
            return "developer";
        }
    }

    record Reasoning(
            String id,
            String content,
            @Nullable String encryptedValue,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        @Override
        public String role() {
            return "reasoning";
        }
    }

    record Activity(
            String id,
            String activityType,
            ObjectNode content,
            @Nullable ObjectNode metadata,
            @Nullable String subagentRunId)
            implements Message {
        @Override
        public String role() {
            return "activity";
        }
    }
}
