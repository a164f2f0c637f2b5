package dev.parley.sessions;

import dev.parley.threads.RevisedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param event what its client wrote; null if it came by another face
 * @param about which run and whose it is, as far as that is known
 * @param usage what making it took
 */
public record SessionMessage(
        RevisedMessage message, ChatEventRow.@Nullable Stored event, NewChatEvent.Wrapper about, MessageUsage usage) {
    /** @param usage of the requests that made it, which counts where its client's metrics tell nothing */
    static SessionMessage of(RevisedMessage message, ChatEventRow.Stored event, MessageUsage usage) {
        MessageUsage told = event.row().usage();
        return new SessionMessage(message, event, event.row().wrapper(), told.isNone() ? usage : told);
    }

    long seq() {
        return message.original().seq();
    }
}
