package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.Normalizer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads the states of deliveries, and recognises the server's own messages in platforms' reports. */
public final class Deliveries {
    /** Limit of a list of deliveries. */
    private static final int MAX_LISTED = 200;

    private final Database database;

    public Deliveries(Database database) {
        this.database = database;
    }

    /** A message from the server that a platform reports. */
    public record DeliveredMessage(ThreadId thread, long seq, String messageId) {}

    /**
     * A message as a platform reports it.
     *
     * @param externalId the platform's id of the message
     * @param marker the marker on the message; null for none
     * @param text the message's text; null unless the message is from the account that the server sends with, because
     *     other users may post an equal text
     */
    public record DeliveryView(
            String source,
            String workspace,
            String channel,
            @Nullable String externalId,
            @Nullable String marker,
            @Nullable String text) {}

    /**
     * The server's message whose part the platform reports. The report proves the delivery, so a part with an unknown
     * outcome becomes sent.
     */
    public Optional<DeliveredMessage> recognise(DeliveryView view) {
        return database.transact(handle -> {
            Optional<KnownPart> known = find(handle, view);
            known.ifPresent(part -> confirm(handle, part, view.externalId()));
            return known.map(KnownPart::message);
        });
    }

    /**
     * A recent message from the server with an equal text. Some platforms report such a message a second time, as a
     * message from another sender. White space at both ends and the composition of characters do not count.
     */
    public Optional<DeliveredMessage> findText(String source, String workspace, String channel, String text) {
        String expected = plain(text);
        return database
                .read(handle -> handle.createQuery("""
                                select d.thread_id, d.seq, d.message_id, d.content
                                from destinations t cross join lateral (
                                    select * from deliveries o where o.destination_id = t.destination_id
                                    order by o.seq desc, o.part desc limit :most) as d
                                where t.source = :source and t.workspace = :workspace and t.channel = :channel
                                    and (d.state = 'sending' or d.ended_at > now() - interval '10 minutes')""")
                        .bind("most", MAX_LISTED)
                        .bind("source", source)
                        .bind("workspace", workspace)
                        .bind("channel", channel)
                        .map((row, context) -> Map.entry(row.getString("content"), message(row)))
                        .list())
                .stream()
                .filter(part -> plain(part.getKey()).equals(expected))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String plain(String text) {
        return Normalizer.normalize(text.strip(), Normalizer.Form.NFC);
    }

    private static DeliveredMessage message(ResultSet row) throws SQLException {
        return new DeliveredMessage(
                new ThreadId(row.getObject("thread_id", UUID.class)), row.getLong("seq"), row.getString("message_id"));
    }

    private record KnownPart(UUID id, DeliveryState state, DeliveredMessage message) {}

    /** Finds a part by its ids first; the text alone identifies only parts that are being sent. */
    private static Optional<KnownPart> find(Handle handle, DeliveryView view) {
        return handle.createQuery("""
                        select * from (
                            select 1 as rank, d.* from deliveries d join destinations t using (destination_id)
                            where d.marker = :marker and t.source = :source and t.workspace = :workspace
                                and t.channel = :channel
                            union all
                            select 2, d.* from destinations t join deliveries d using (destination_id)
                            where t.source = :source and t.workspace = :workspace and t.channel = :channel
                                and d.external_id = :external and d.revises is null
                            union all
                            select 3, d.* from destinations t join deliveries d using (destination_id)
                            where t.source = :source and t.workspace = :workspace and t.channel = :channel
                                and d.state = 'sending' and d.content = :text) as found
                        order by rank limit 1""")
                .bind("marker", view.marker())
                .bind("source", view.source())
                .bind("workspace", view.workspace())
                .bind("channel", view.channel())
                .bind("external", view.externalId())
                .bind("text", view.text())
                .map((row, context) -> new KnownPart(
                        row.getObject("delivery_id", UUID.class),
                        DeliveryState.parse(row.getString("state")),
                        message(row)))
                .findOne();
    }

    /** Marks a part as sent. A report under a second id means that the platform has the part twice, which is noted. */
    private static void confirm(Handle handle, KnownPart part, @Nullable String externalId) {
        if (externalId != null && part.state() == DeliveryState.SENT) {
            handle.createUpdate("""
                            update deliveries set problem = 'The platform shows the part more than once.'
                            where delivery_id = :id and external_id <> :external and problem is null""")
                    .bind("external", externalId)
                    .bind("id", part.id())
                    .execute();
        }
        if (externalId != null && part.state() != DeliveryState.SENT) {
            handle.createUpdate("""
                            update deliveries set state = 'sent', external_id = :external, ended_at = now()
                            where delivery_id = :id and state in ('sending', 'uncertain')""")
                    .bind("external", externalId)
                    .bind("id", part.id())
                    .execute();
        }
    }

    /** The elements of {@code idsAndMarkers} that identify parts sent from the thread to the channel. */
    public Set<String> sentFrom(ThreadId thread, String source, String channel, Collection<String> idsAndMarkers) {
        return database.read(handle -> handle
                .createQuery("""
                        select d.external_id, d.marker from deliveries d join destinations t using (destination_id)
                        where (d.external_id = any (:sought) or d.marker = any (:sought)) and d.thread_id = :thread
                            and t.source = :source and t.channel = :channel""")
                .bindArray("sought", String.class, idsAndMarkers.toArray())
                .bind("thread", thread.value())
                .bind("source", source)
                .bind("channel", channel)
                .map((row, context) -> Stream.of(row.getString("external_id"), row.getString("marker")))
                .stream()
                .flatMap(ids -> ids)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
    }

    /** The parts of a run's messages, in their order. */
    public List<ListedDelivery> ofRun(ThreadId thread, String runId) {
        return database.read(handle -> handle.createQuery("select " + ListedDelivery.COLUMNS + """
                         from deliveries d join destinations t using (destination_id)
                        where d.thread_id = :thread and d.run_id = :run order by d.seq, d.part limit :most""")
                .bind("thread", thread.value())
                .bind("run", runId)
                .bind("most", MAX_LISTED)
                .map((row, context) -> ListedDelivery.read(row))
                .list());
    }

    /** The parts of a thread's messages after an entry, in their order. */
    public List<ListedDelivery> listAfter(ThreadId thread, long seq, int limit) {
        return database.read(handle -> handle.createQuery("select " + ListedDelivery.COLUMNS + """
                         from deliveries d join destinations t using (destination_id)
                        where d.thread_id = :thread and d.seq > :seq order by d.seq, d.part limit :limit""")
                .bind("thread", thread.value())
                .bind("seq", seq)
                .bind("limit", limit)
                .map((row, context) -> ListedDelivery.read(row))
                .list());
    }
}
