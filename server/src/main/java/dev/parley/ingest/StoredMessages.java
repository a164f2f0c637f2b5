package dev.parley.ingest;

import dev.parley.delivery.Deliveries;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds the entries of messages by their platform's ids: inbound messages, and the server's own answers. */
final class StoredMessages {
    private final Database database;
    private final InboundEvents events;
    private final Deliveries deliveries;

    StoredMessages(Database database, InboundEvents events, Deliveries deliveries) {
        this.database = database;
        this.events = events;
        this.deliveries = deliveries;
    }

    /** The entry of a message. */
    record Position(ThreadId thread, long seq, String messageId) {}

    Optional<Position> find(Channel channel, String externalId) {
        return events.find(new InboundKeys(channel, externalId, null))
                .map(stored -> new Position(stored.thread(), stored.seq(), stored.messageId()))
                .or(() -> deliveries
                        .recognise(new Deliveries.DeliveryView(
                                channel.source(), channel.workspace(), channel.name(), externalId, null, null))
                        .map(delivery -> new Position(delivery.thread(), delivery.seq(), delivery.messageId())));
    }

    /** The elements of {@code idsAndMarkers} that identify entries of the thread. */
    Set<String> entriesIn(ThreadId thread, Channel channel, Collection<String> idsAndMarkers) {
        Set<String> entries =
                new HashSet<>(deliveries.sentFrom(thread, channel.source(), channel.name(), idsAndMarkers));
        entries.addAll(database.read(handle -> handle.createQuery("""
                        select external_message_id from inbound_events
                        where source = :source and workspace = :workspace and place = :place and channel = :channel
                            and external_message_id = any (:sought) and thread_id = :thread""")
                .bind("source", channel.source())
                .bind("workspace", channel.workspace())
                .bind("place", channel.scope().wire())
                .bind("channel", channel.name())
                .bindArray("sought", String.class, idsAndMarkers.toArray())
                .bind("thread", thread.value())
                .mapTo(String.class)
                .list()));
        return entries;
    }
}
