package dev.parley.testkit.history;

import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.Message;
import org.jspecify.annotations.Nullable;

/**
 * One entry as a reader saw it.
 *
 * @param id null if the wire format does not contain the id, as on event streams
 */
public record Seen(long seq, @Nullable String id, String content) {
    public static Seen of(Message message) {
        return new Seen(message.threadSeq(), message.id(), message.content());
    }

    public static Seen of(EventEnvelope event) {
        String content = event.content();
        return new Seen(event.threadSeq(), null, content == null ? "" : content);
    }
}
