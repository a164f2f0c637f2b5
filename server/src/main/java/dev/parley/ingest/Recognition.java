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
 * Recognises reports of stored messages: the server's own answers, and messages to oneself, which some platforms report
 * as sent and as received. Such a report becomes no second message, but is stored as an inbound event.
 */
final class Recognition {
    /** Time between the two reports of a mirrored message. */
    private static final Duration MIRROR_WINDOW = Duration.ofSeconds(30);
    /** Number of a thread's last inbound events that are searched for the other report. */
    private static final int MAX_CANDIDATES = 50;

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

    /** The server's own answer that the inbound message repeats. The report is stored as an echo. */
    Optional<Ingest.Accepted> findOwn(ParsedInbound inbound, PlatformEvent.Echo echo) {
        Channel channel = inbound.keys().channel();
        return deliveries
                .recognise(new Deliveries.DeliveryView(
                        channel.source(),
                        channel.workspace(),
                        channel.name(),
                        inbound.keys().message(),
                        echo.marker(),
                        echo.fromSelf() ? inbound.given().message() : null))
                .map(delivery -> note(inbound, delivery.thread(), delivery.seq(), delivery.messageId(), "echo"));
    }

    /**
     * The stored message that the inbound message mirrors. The report is stored as a mirror. Each message has at most
     * one mirror.
     */
    Optional<Ingest.Accepted> findMirrored(ParsedInbound inbound) {
        Channel channel = inbound.keys().channel();
        // If the server's own answer were not recognised, an agent would answer itself for ever.
        return deliveries
                .findText(
                        channel.source(),
                        channel.workspace(),
                        channel.name(),
                        inbound.given().message())
                .map(delivery -> note(inbound, delivery.thread(), delivery.seq(), delivery.messageId(), "echo"))
                .or(() -> findHalf(inbound));
    }

    private Optional<Ingest.Accepted> findHalf(ParsedInbound inbound) {
        return bindings.find(inbound.keys().channel())
                .flatMap(binding -> otherHalf(binding.thread(), inbound))
                .map(other -> note(inbound, other.thread(), other.seq(), other.messageId(), "mirror"));
    }

    private Ingest.Accepted note(ParsedInbound inbound, ThreadId thread, long seq, String messageId, String reason) {
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
                .bind("most", MAX_CANDIDATES)
                .bind("since", clock.instant().minus(MIRROR_WINDOW).atOffset(ZoneOffset.UTC))
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
