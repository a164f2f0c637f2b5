package dev.parley.log;

import dev.parley.protocol.Actor;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * A key under which an entry is found again: its id, or one face's idempotency key. One space for all of them. What is
 * stored is the first half of a hash: a quarter of the bytes in the index that every append writes to twice, and nothing
 * of what a client wrote into its keys.
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

    /** The key of what an integration brings: what its platform calls the message, and where. */
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
