package dev.parley.sessions;

import dev.parley.threads.RevisedMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session.
 *
 * @param event what its client wrote; null if it came by another face
 */
public record SessionMessage(RevisedMessage message, ChatEventRow.@Nullable Stored event) {
    long seq() {
        return message.original().seq();
    }
}
