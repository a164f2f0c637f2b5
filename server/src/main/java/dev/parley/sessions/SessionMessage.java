package dev.parley.sessions;

import dev.parley.threads.RevisedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param event the client's message; null if the message came from another face
 * @param about the run and the agent, as far as they are known
 * @param usage the usage of the requests that made the message
 */
public record SessionMessage(
        RevisedMessage message, ChatEventRow.@Nullable Stored event, NewChatEvent.Wrapper about, MessageUsage usage) {
    /** @param usage the usage of the requests that made the message; used if the client's metrics are empty */
    static SessionMessage of(RevisedMessage message, ChatEventRow.Stored event, MessageUsage usage) {
        MessageUsage reported = event.row().usage();
        return new SessionMessage(message, event, event.row().wrapper(), reported.isNone() ? usage : reported);
    }

    long seq() {
        return message.original().seq();
    }
}
