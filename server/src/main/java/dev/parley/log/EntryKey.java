package dev.parley.log;

import dev.parley.protocol.Actor;

/** A key under which an entry is found again: its id, or one face's idempotency key. One space, told apart by prefix. */
public record EntryKey(String value) {
    /** The key of a message id; ids are unique over all faces. */
    public static EntryKey id(String messageId) {
        return new EntryKey("id:" + messageId);
    }

    /** The chat face's key: one sender's client_message_id. The sender's length stands first, since both parts may hold any character. */
    public static EntryKey chat(Actor sender, String clientMessageId) {
        return new EntryKey("chat:" + sender.value().length() + ":" + sender.value() + ":" + clientMessageId);
    }
}
