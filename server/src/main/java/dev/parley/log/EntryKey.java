package dev.parley.log;

import dev.parley.protocol.Actor;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * A key by which an entry is found again: its id, or the idempotency key of one face. All keys share one space. Stored
 * is the first half of a hash: a quarter of the bytes in the index to which every append writes twice, and nothing of
 * the text of a client's keys.
 */
public record EntryKey(UUID value) {
    /** The key of a message id; ids are unique over all faces. */
    public static EntryKey id(String messageId) {
        return of("id", messageId);
    }

    /** The chat face's key: one sender's client_message_id. */
    public static EntryKey chat(Actor sender, String clientMessageId) {
        return of("chat", sender.value(), clientMessageId);
    }

    /** The key of the result of a run's tool call: there is only one. */
    public static EntryKey toolResult(UUID run, String toolCallId) {
        return of("tool", run.toString(), toolCallId);
    }

    /** The key of a message from an integration: the platform's id of the message and of its channel. */
    public static EntryKey ingest(String kind, String workspace, String channel, String externalId) {
        return of("ingest", kind, workspace, channel, externalId);
    }

    /** The sessions face's key: a message's id as its client gave it. */
    public static EntryKey session(String messageId) {
        return of("session", messageId);
    }

    static EntryKey of(String... parts) {
        Digest.Builder digest = new Digest.Builder();
        for (String part : parts) {
            digest.add(part);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.finish().bytes());
        return new EntryKey(new UUID(hash.getLong(), hash.getLong()));
    }
}
