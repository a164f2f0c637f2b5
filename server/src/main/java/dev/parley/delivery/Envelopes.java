package dev.parley.delivery;

import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import java.util.Optional;

/** The body of an event for a webhook's owner; empty for events that do not belong to a conversation. */
public interface Envelopes {
    Optional<byte[]> of(Event event, Actor viewer);
}
