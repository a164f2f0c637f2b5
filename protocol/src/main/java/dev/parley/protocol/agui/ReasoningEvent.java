package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/** An event of a reasoning span, or of a message inside the span. A span and a message may have the same id. */
public sealed interface ReasoningEvent extends AttributedEvent {
    record Start(
            String messageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ReasoningEvent {
        public Start(String messageId) {
            this(messageId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "REASONING_START";
        }
    }

    record End(
            String messageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ReasoningEvent {
        public End(String messageId) {
            this(messageId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "REASONING_END";
        }
    }

    @JsonPropertyOrder({"type", "messageId", "role"})
    record MessageStart(
            String messageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ReasoningEvent {
        public MessageStart(String messageId) {
            this(messageId, null, Common.NONE);
        }

        /** The field is required on the wire, and its value is always the same. */
        @JsonProperty
        public String role() {
            return "reasoning";
        }

        @Override
        public String type() {
            return "REASONING_MESSAGE_START";
        }
    }

    record MessageContent(
            String messageId,
            String delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ReasoningEvent {
        public MessageContent(String messageId, String delta) {
            this(messageId, delta, null, Common.NONE);
        }

        @Override
        public String type() {
            return "REASONING_MESSAGE_CONTENT";
        }
    }

    record MessageEnd(
            String messageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements ReasoningEvent {
        public MessageEnd(String messageId) {
            this(messageId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "REASONING_MESSAGE_END";
        }
    }

    /** Start, content and end of a reasoning message in one event. */
    record MessageChunk(
            @Nullable String messageId,
            @Nullable String delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ReasoningEvent {
        public MessageChunk(@Nullable String messageId, String delta) {
            this(messageId, delta, null, Common.NONE);
        }

        @Override
        public String type() {
            return "REASONING_MESSAGE_CHUNK";
        }
    }

    /**
     * A value that only the provider can read. The value is stored with a message or a tool call and sent back to the
     * provider.
     */
    record EncryptedValue(
            Subtype subtype,
            String entityId,
            String encryptedValue,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements ReasoningEvent {
        @Override
        public String type() {
            return "REASONING_ENCRYPTED_VALUE";
        }
    }

    /** The kind of element that an encrypted value belongs to. */
    enum Subtype {
        TOOL_CALL("tool-call"),
        MESSAGE("message");

        private final String wire;

        Subtype(String wire) {
            this.wire = wire;
        }

        @JsonValue
        @Override
        public String toString() {
            return wire;
        }
    }
}
