package dev.parley.sdk;

import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessageEdit;

/** Revises one message. Each revision is an entry of the log; a repeated revision adds no entry. */
public final class MessageClient {
    private final Transport transport;
    private final String path;

    MessageClient(Transport transport, String path) {
        this.transport = transport;
        this.path = path;
    }

    public Message edit(String content) {
        return transport.call(Request.patch(path, new MessageEdit(content)), Message.class);
    }

    /** Deletes the message; its seq in the log stays. */
    public void delete() {
        transport.remove(path);
    }

    public Message react(String emoji) {
        return transport.call(Request.put(reaction(emoji)), Message.class);
    }

    public Message unreact(String emoji) {
        return transport.call(Request.delete(reaction(emoji)), Message.class);
    }

    private String reaction(String emoji) {
        return path + "/reactions/" + Request.encode(emoji);
    }
}
