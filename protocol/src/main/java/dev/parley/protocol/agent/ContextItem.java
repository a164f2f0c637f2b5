package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A message in a model's context. Members that its role does not have are null.
 *
 * @param role system, user, assistant or tool
 * @param content the text, or a list of parts
 * @param toolCalls the tool calls of an assistant's message
 * @param seqs the messages of the thread that this item shows
 * @param transform how those messages were changed for the model
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
