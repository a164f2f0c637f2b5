package dev.parley.log;

import dev.parley.protocol.Actor;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * A key by which an entry is found again: its id, or the idempotency key of one face. All keys share one space. The
 * stored value is the first half of a hash. It is short, because every append writes twice to the index, and it reveals
 * no text of a client's key.
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

    /** The key of the result of a run's tool call. A tool call has only one result. */
    public static EntryKey toolResult(UUID run, String toolCallId) {
        return of("tool", run.toString(), toolCallId);
    }

    /** The key of a message from an integration, made from the platform's ids for the message and its channel. */
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
