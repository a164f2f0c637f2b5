package dev.parley.protocol.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A message as a model was shown it. Members that its role does not have are null.
 *
 * @param role system, user, assistant or tool
 * @param content the text, or a list of parts
 * @param toolCalls what an assistant's message called
 * @param seqs the messages of the thread that it shows
 * @param transform what was done to them
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
