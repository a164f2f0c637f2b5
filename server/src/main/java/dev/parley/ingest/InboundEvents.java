package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.Optional;
import java.util.UUID;

/** Reads the table of what integrations brought. */
final class InboundEvents {
    private final Database database;

    InboundEvents(Database database) {
        this.database = database;
    }

    /** What became of a delivery that has one of these keys; the message's comes first. */
    Optional<InboundEvent.Stored> find(DeliveryKeys keys) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        Channel channel = keys.channel();
        return database.read(handle -> handle.createQuery("""
                        select * from (
                            select 1 as rank, i.* from inbound_events i
                            where source = :source and workspace = :workspace and place = :place and channel = :channel
                                and external_message_id = :message
                            union all
                            select 2 as rank, i.* from inbound_events i
                            where source = :source and workspace = :workspace and external_event_id = :event) as found
                        order by rank limit 1""")
                .bind("source", channel.source())
                .bind("workspace", channel.workspace())
                .bind("place", channel.place().wire())
                .bind("channel", channel.name())
                .bind("message", keys.message())
                .bind("event", keys.event())
                .map((row, context) -> new InboundEvent.Stored(
                        row.getObject("event_id", UUID.class),
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getLong("seq"),
                        row.getString("message_id"),
                        new Actor(row.getString("sender")),
                        row.getBoolean("bot"),
                        row.getString("external_event_id"),
                        new Verdict(row.getBoolean("run"), row.getString("reason"), row.getString("run_id"))))
                .findOne());
    }
}
