package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A question with which a run ends. A {@link ResumeEntry} answers the question. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Interrupt(
        String id,
        String reason,
        @Nullable String message,
        @Nullable String toolCallId,
        @Nullable ObjectNode responseSchema,
        @Nullable String expiresAt,
        @Nullable ObjectNode metadata,
        @Nullable String subagentRunId) {}
