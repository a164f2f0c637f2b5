package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.threads.SourceThreads;

/**
 * Who said something on another platform.
 *
 * @param bot whether it counts as an agent, since a program wrote it and not its owner
 */
record Sender(Actor actor, String displayName, boolean bot) {
    SourceThreads.Stranger toStranger() {
        return new SourceThreads.Stranger(actor, displayName);
    }
}
