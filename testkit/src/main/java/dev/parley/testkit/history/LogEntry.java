package dev.parley.testkit.history;

import dev.parley.protocol.chat.Message;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the final log, read when all is over.
 *
 * @param key the client's own key, null if it gave none
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
