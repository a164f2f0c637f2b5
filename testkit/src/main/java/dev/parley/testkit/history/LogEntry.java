package dev.parley.testkit.history;

import dev.parley.protocol.chat.Message;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the final log.
 *
 * @param key the key that the client gave; null if the client gave no key
 */
public record LogEntry(
        long seq, String id, String sender, @Nullable String key, String content, long serverSeqAtSubmit) {
    public static LogEntry of(Message message) {
        return new LogEntry(
                message.threadSeq(),
                message.id(),
                message.senderId().value(),
                message.clientMessageId(),
                message.content(),
                message.serverSeqAtSubmit());
    }
}
