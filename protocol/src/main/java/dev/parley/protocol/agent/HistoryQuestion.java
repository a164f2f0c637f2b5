package dev.parley.protocol.agent;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a user said.
 *
 * @param role always user
 * @param url where the first attachment can be fetched for a while
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
