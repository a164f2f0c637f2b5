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

/** What became of replies: for those who ask, and for telling our own words from others' when platforms show them to us. */
public final class Deliveries {
    /** So many replies of one thread are told at once. */
    public static final int MAX_LISTED = 200;

    private final Database database;

    public Deliveries(Database database) {
        this.database = database;
    }

    /** A message of ours that a platform shows. */
    public record DeliveredMessage(ThreadId thread, long seq, String messageId) {}

    /**
     * What a platform shows, told so that ours can be found.
     *
     * @param externalId what the platform calls it
     * @param marker the marker that the platform shows on it
     * @param text what it says; null unless the account said it that sends our answers, since anybody can say the same
     */
    public record DeliveryView(
            String source,
            String workspace,
            String channel,
            @Nullable String externalId,
            @Nullable String marker,
            @Nullable String text) {}

    /**
     * The message of ours that this is a part of. What a platform shows it has: a part of which nobody knew is known to be
     * there from now on.
     */
    public Optional<DeliveredMessage> recognise(DeliveryView shown) {
        return database.transact(handle -> {
            Optional<KnownPart> known = find(handle, shown);
            known.ifPresent(part -> confirm(handle, part, shown.externalId()));
            return known.map(KnownPart::ours);
        });
    }

    /**
     * A message of ours of late that says just this, for platforms that show our words a second time as somebody else's.
     * White space at both ends does not count, nor how characters are composed.
     */
    public Optional<DeliveredMessage> findWords(String source, String workspace, String channel, String text) {
        String wanted = plain(text);
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
                        .map((row, context) -> Map.entry(row.getString("content"), ours(row)))
                        .list())
                .stream()
                .filter(said -> plain(said.getKey()).equals(wanted))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String plain(String text) {
        return Normalizer.normalize(text.strip(), Normalizer.Form.NFC);
    }

    private static DeliveredMessage ours(ResultSet row) throws SQLException {
        return new DeliveredMessage(
                new ThreadId(row.getObject("thread_id", UUID.class)), row.getLong("seq"), row.getString("message_id"));
    }

    private record KnownPart(UUID id, DeliveryState state, DeliveredMessage ours) {}

    /** By its own ids first: words alone tell only of what is on its way at this moment. */
    private static Optional<KnownPart> find(Handle handle, DeliveryView shown) {
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
                .bind("marker", shown.marker())
                .bind("source", shown.source())
                .bind("workspace", shown.workspace())
                .bind("channel", shown.channel())
                .bind("external", shown.externalId())
                .bind("text", shown.text())
                .map((row, context) -> new KnownPart(
                        row.getObject("delivery_id", UUID.class),
                        DeliveryState.parse(row.getString("state")),
                        ours(row)))
                .findOne();
    }

    /** A platform that shows a part under a second name has it twice: nobody could have known, but it is shown. */
    private static void confirm(Handle handle, KnownPart part, @Nullable String externalId) {
        if (externalId != null && part.state() == DeliveryState.SENT) {
            handle.createUpdate("""
                            update deliveries set problem = 'The platform shows it more than once.'
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

    /** The external ids and markers, out of these, of what was sent from one thread to a platform's channel. */
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
                .flatMap(found -> found)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
    }

    /** The parts of what a run said, in their order. */
    public List<ListedDelivery> ofRun(ThreadId thread, String runId) {
        return list(thread, "and d.run_id = :which", runId);
    }

    /** The parts of one message, in their order. */
    public List<ListedDelivery> ofMessage(ThreadId thread, String messageId) {
        return list(thread, "and d.message_id = :which", messageId);
    }

    /** The parts of what was said in a thread behind an entry, in their order. */
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

    private List<ListedDelivery> list(ThreadId thread, String condition, String which) {
        return database.read(handle -> handle.createQuery("select " + ListedDelivery.COLUMNS + """
                         from deliveries d join destinations t using (destination_id)
                        where d.thread_id = :thread %s order by d.seq, d.part limit :most""".formatted(condition))
                .bind("thread", thread.value())
                .bind("which", which)
                .bind("most", MAX_LISTED)
                .map((row, context) -> ListedDelivery.read(row))
                .list());
    }
}
