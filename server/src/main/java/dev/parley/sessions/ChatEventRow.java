package dev.parley.sessions;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client's message as it is stored, without its seq.
 *
 * @param by the actor that posts the message; null for a row that was read from the table
 * @param role the role in the client's words
 * @param json the message, with its media cut out
 */
public record ChatEventRow(
        UUID id,
        @Nullable Actor by,
        String messageId,
        String role,
        NewChatEvent.Wrapper wrapper,
        String json,
        List<Medium> media,
        Digest fingerprint,
        MessageUsage usage) {
    public ChatEventRow {
        media = List.copyOf(media);
    }

    /** A row that is in the table. */
    public record Stored(ChatEventRow row, long seq, Instant createdAt) {}

    StoredMessage stored() {
        return new StoredMessage(json.getBytes(StandardCharsets.UTF_8), media);
    }

    @Nullable
    String runId() {
        return wrapper.runId();
    }
}
