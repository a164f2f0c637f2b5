package dev.parley.ingest;

import dev.parley.delivery.Deliveries;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

/**
 * Knows again what a platform shows although it is here already: our own answers, and messages to oneself, which some
 * platforms show once as sent and once as received. Neither becomes a second message; each leaves its inbound event.
 */
final class Recognition {
    /** Both halves of a pair come within this time. */
    private static final Duration MIRRORED_WITHIN = Duration.ofSeconds(30);
    /** Among so many of a thread's last inbound events its other half is looked for. */
    private static final int LOOKED_AT = 50;

    private final Database database;
    private final Bindings bindings;
    private final Deliveries deliveries;
    private final InboundEvents events;
    private final Clock clock;

    Recognition(Database database, Bindings bindings, Deliveries deliveries, InboundEvents events, Clock clock) {
        this.database = database;
        this.bindings = bindings;
        this.deliveries = deliveries;
        this.events = events;
        this.clock = clock;
    }

    /** The answer of ours that this is, noted as such. */
    Optional<Ingest.Accepted> findOurs(ParsedInbound inbound, PlatformEvent.Echo echo) {
        Channel channel = inbound.keys().channel();
        return deliveries
                .recognise(new Deliveries.DeliveryView(
                        channel.source(),
                        channel.workspace(),
                        channel.name(),
                        inbound.keys().message(),
                        echo.marker(),
                        echo.fromSelf() ? inbound.given().message() : null))
                .map(ours -> noted(inbound, ours.thread(), ours.seq(), ours.messageId(), "echo"));
    }

    /** The message whose other half this is, noted as such. Each has one other half at most. */
    Optional<Ingest.Accepted> findMirrored(ParsedInbound inbound) {
        Channel channel = inbound.keys().channel();
        // Unrecognised, an agent would answer itself for ever.
        return deliveries
                .findWords(
                        channel.source(),
                        channel.workspace(),
                        channel.name(),
                        inbound.given().message())
                .map(ours -> noted(inbound, ours.thread(), ours.seq(), ours.messageId(), "echo"))
                .or(() -> findHalf(inbound));
    }

    private Optional<Ingest.Accepted> findHalf(ParsedInbound inbound) {
        return bindings.find(inbound.keys().channel())
                .flatMap(binding -> otherHalf(binding.thread(), inbound))
                .map(half -> noted(inbound, half.thread(), half.seq(), half.messageId(), "mirror"));
    }

    private Ingest.Accepted noted(ParsedInbound inbound, ThreadId thread, long seq, String messageId, String reason) {
        events.note(inbound, thread, seq, messageId, reason, clock.instant());
        return new Ingest.Accepted(thread, messageId, seq, new Verdict(false, reason, null), true);
    }

    private record Half(ThreadId thread, long seq, String messageId) {}

    private Optional<Half> otherHalf(ThreadId thread, ParsedInbound inbound) {
        return database.read(handle -> handle.createQuery("""
                        select i.thread_id, i.seq, i.message_id
                        from (select * from inbound_events where thread_id = :thread order by seq desc limit :most) as i
                        join entries e on e.thread_id = i.thread_id and e.seq = i.seq
                        where i.received_at > :since and i.reason not in ('echo', 'mirror')
                            and i.external_message_id is distinct from :own
                            and e.content = :text
                            and (coalesce(e.metadata ->> 'is_from_me', '') = 'true') <> :from_me
                            and not exists (
                                select 1 from inbound_events other
                                where other.thread_id = i.thread_id and other.seq = i.seq and other.reason = 'mirror')
                        order by i.seq limit 1""")
                .bind("thread", thread.value())
                .bind("most", LOOKED_AT)
                .bind("since", clock.instant().minus(MIRRORED_WITHIN).atOffset(ZoneOffset.UTC))
                .bind("own", inbound.keys().message())
                .bind("text", inbound.given().message())
                .bind("from_me", inbound.metadata().isFromMe())
                .map((row, context) -> new Half(
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getLong("seq"),
                        row.getString("message_id")))
                .findOne());
    }
}
