package dev.parley.delivery;

import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import java.util.Optional;

/** How an event looks to whoever made a webhook; empty if it is none of a conversation's. */
public interface Envelopes {
    Optional<byte[]> of(Event event, Actor viewer);
}
