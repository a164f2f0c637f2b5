package dev.parley.protocol.agent;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message of a user.
 *
 * @param role always user
 * @param url a temporary address of the first attachment; null if there is none
 */
public record HistoryQuestion(
        String id,
        long seq,
        String role,
        String content,
        @Nullable String url,
        @Nullable ObjectNode metadata,
        Instant timestamp,
        List<HistoryAttachment> attachments)
        implements HistoryMessage {
    public HistoryQuestion {
        attachments = List.copyOf(attachments);
    }
}
