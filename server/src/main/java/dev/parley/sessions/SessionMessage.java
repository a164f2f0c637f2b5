package dev.parley.sessions;

import dev.parley.threads.RevisedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param event what its client wrote; null if it came by another face
 * @param about which run and whose it is, as far as that is known
 */
public record SessionMessage(RevisedMessage message, ChatEventRow.@Nullable Stored event, NewChatEvent.Wrapper about) {
    static SessionMessage of(RevisedMessage message, ChatEventRow.Stored event) {
        return new SessionMessage(message, event, event.row().wrapper());
    }

    long seq() {
        return message.original().seq();
    }
}
