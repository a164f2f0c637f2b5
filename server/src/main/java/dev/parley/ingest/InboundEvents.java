package dev.parley.ingest;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the table of inbound events outside of the lanes. */
final class InboundEvents {
    private final Database database;
    private final Clock clock;

    InboundEvents(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * The event of a message that arrives now.
     *
     * @param silence the reason for which no agent answers; null for none
     */
    InboundEvent received(ParsedInbound inbound, Conversations.Target target, @Nullable String silence) {
        ObjectNode config = inbound.given().dispatchConfig();
        return new InboundEvent(
                UuidV7.next(),
                inbound.keys(),
                inbound.sender().actor(),
                inbound.sender().bot(),
                target.thread(),
                target.agent(),
                inbound.given().dispatchType(),
                config == null ? null : Json.MAPPER.writeValueAsString(config),
                silence,
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    /** The inbound event with one of these keys; the message's key takes precedence. */
    Optional<InboundEvent.Stored> find(InboundKeys keys) {
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
                .bind("place", channel.scope().wire())
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

    /** Stores the event of a known message. The log does not change, so no command is needed. */
    void note(ParsedInbound inbound, ThreadId thread, long seq, String messageId, String reason, Instant now) {
        Channel channel = inbound.keys().channel();
        database.transact(handle -> handle.createUpdate("""
                        insert into inbound_events (event_id, source, workspace, place, channel, external_message_id,
                            external_event_id, sender, bot, thread_id, seq, message_id, run, reason, received_at)
                        values (:id, :source, :workspace, :place, :channel, :message, :event, :sender, :bot, :thread, :seq,
                            :message_id, false, :reason, :now)
                        on conflict do nothing""")
                .bind("id", UuidV7.next())
                .bind("source", channel.source())
                .bind("workspace", channel.workspace())
                .bind("place", channel.scope().wire())
                .bind("channel", channel.name())
                .bind("message", inbound.keys().message())
                .bind("event", inbound.keys().event())
                .bind("sender", inbound.sender().actor().value())
                .bind("bot", inbound.sender().bot())
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("message_id", messageId)
                .bind("reason", reason)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .execute());
    }
}
