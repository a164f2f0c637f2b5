package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A message in a model's context. Fields that do not belong to its role are null.
 *
 * @param role system, user, assistant or tool
 * @param content the text, or a list of parts
 * @param toolCalls the tool calls of an assistant's message
 * @param seqs the seqs of the thread's messages that this item shows
 * @param transform the changes that were made to these messages for the model
 */
public record ContextItem(
        String role,
        JsonNode content,
        @Nullable List<ContextCall> toolCalls,
        @Nullable String toolCallId,
        @Nullable String toolName,
        @Nullable Boolean failed,
        List<Long> seqs,
        List<String> transform) {
    public ContextItem {
        toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
        seqs = List.copyOf(seqs);
        transform = List.copyOf(transform);
    }
}
