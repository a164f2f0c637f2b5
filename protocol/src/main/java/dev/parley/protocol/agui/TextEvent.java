package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A step in the stream of a text message. */
public sealed interface TextEvent extends AttributedEvent {
    /** @param role absent means assistant */
    record Start(
            String messageId,
            @Nullable TextRole role,
            @Nullable String name,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements TextEvent {
        public Start(String messageId) {
            this(messageId, TextRole.ASSISTANT, null, null, Common.NONE);
        }

        public TextRole effectiveRole() {
            return Objects.requireNonNullElse(role, TextRole.ASSISTANT);
        }

        @Override
        public String type() {
            return "TEXT_MESSAGE_START";
        }
    }

    record Content(
            String messageId,
            String delta,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements TextEvent {
        public Content(String messageId, String delta) {
            this(messageId, delta, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TEXT_MESSAGE_CONTENT";
        }
    }

    record End(
            String messageId,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common) implements TextEvent {
        public End(String messageId) {
            this(messageId, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TEXT_MESSAGE_END";
        }
    }

    /**
     * Start, content and end of a text message in one event. The first chunk names the message; the following chunks
     * may leave the id out.
     */
    record Chunk(
            @Nullable String messageId,
            @Nullable TextRole role,
            @Nullable String delta,
            @Nullable String name,
            @Nullable String subagentRunId,
            @JsonUnwrapped Common common)
            implements TextEvent {
        public Chunk(@Nullable String messageId, String delta) {
            this(messageId, null, delta, null, null, Common.NONE);
        }

        @Override
        public String type() {
            return "TEXT_MESSAGE_CHUNK";
        }
    }
}
