package dev.parley.sessions;

import dev.parley.log.Digest;
import dev.parley.protocol.Actor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message of a client as it is kept, without its place.
 *
 * @param by who brings it; null for one that was read
 * @param role as its client calls it
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

    /** One that is in the table. */
    public record Stored(ChatEventRow row, long seq, Instant createdAt) {}

    StoredMessage stored() {
        return new StoredMessage(json.getBytes(StandardCharsets.UTF_8), media);
    }

    public @Nullable String runId() {
        return wrapper.runId();
    }
}
