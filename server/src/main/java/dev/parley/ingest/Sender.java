package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.threads.SourceThreads;

/**
 * The sender of an inbound message.
 *
 * @param bot true if the sender counts as an agent, because a program and not the account's owner wrote the message
 */
record Sender(Actor actor, String displayName, boolean bot) {
    SourceThreads.Stranger toStranger() {
        return new SourceThreads.Stranger(actor, displayName);
    }
}
