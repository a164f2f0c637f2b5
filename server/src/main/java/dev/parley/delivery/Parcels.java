package dev.parley.delivery;

import dev.parley.limits.FairShares;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The queue of parts in the database. Each step is stored before the next step begins, and only by the holder of the
 * destination's lease. Therefore a crash at any moment leaves a row with a known state.
 */
final class Parcels {
    private static final String DUE_DESTINATIONS = """
            select destination_id from destinations where next_at <= now() and source = any (:sources)""";

    /** SQL for the workspace of a row. Workspaces share the slots, because a slow workspace must not take all slots. */
    private static final String WORKSPACE = "source || '/' || workspace";

    private final Database database;
    private final Leases leases;
    private final Clock clock;

    Parcels(Database database, Duration lease, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.leases = new Leases(database, "destinations", "destination_id", WORKSPACE, lease);
    }

    Leases leases() {
        return leases;
    }

    Leases.LeaseResult take(Set<String> sources, FairShares<String> slots) {
        return leases.take(
                DUE_DESTINATIONS, query -> query.bindArray("sources", String.class, sources.toArray()), slots);
    }

    /** The next part; empty if all parts are sent. */
    Optional<OpenParcel> next(Lease lease) {
        return database.read(handle -> handle.createQuery("""
                        select d.delivery_id, d.state, d.marker, d.content, d.thread_id, d.seq, d.revises, d.created_at, t.source, t.workspace, t.channel, t.external_thread, t.failures,
                            now() as asked_at, d.begun_at, d.tried_at,
                            o.external_id as changed
                        from destinations t join deliveries d using (destination_id)
                        left join deliveries o
                            on o.destination_id = d.destination_id and o.thread_id = d.thread_id
                                and o.seq = d.revises and o.part = d.part
                        where t.destination_id = :id and t.holder = :holder and d.state in ('waiting', 'sending')
                        order by d.turn limit 1""")
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .map((row, context) -> new OpenParcel(
                        row.getObject("delivery_id", UUID.class),
                        DeliveryState.parse(row.getString("state")),
                        new Parcel(
                                row.getString("marker"),
                                ListedDelivery.target(row),
                                row.getString("content"),
                                localTime(row, "begun_at"),
                                localTime(row, "tried_at")),
                        row.getObject("thread_id", UUID.class),
                        row.getLong("seq"),
                        row.getObject("revises") != null,
                        row.getString("changed"),
                        row.getInt("failures"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .findOne());
    }

    /**
     * Stores that a part is about to be handed over. From now on the platform may have it.
     *
     * @return the part to hand over; empty if the lease is over or the part has another state by now
     */
    Optional<Parcel> begin(Lease lease, OpenParcel open) {
        return database.transact(handle -> leases.isHeld(handle, lease)
                ? handle.createQuery("""
                                update deliveries set state = 'sending', begun_at = coalesce(begun_at, now()),
                                    tried_at = now(), attempts = attempts + 1
                                where delivery_id = :id and state = :state returning now() as asked_at, begun_at, tried_at""")
                        .bind("id", open.id())
                        .bind("state", open.state().wire())
                        .map((row, context) ->
                                open.parcel().handedOver(localTime(row, "begun_at"), localTime(row, "tried_at")))
                        .findOne()
                : Optional.empty());
    }

    /**
     * Converts a time of the database to this node's clock. Transports compare platforms' times with this node's clock,
     * which may differ from the database's clock.
     */
    private Instant localTime(ResultSet row, String column) throws SQLException {
        OffsetDateTime queriedAt = row.getObject("asked_at", OffsetDateTime.class);
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        Instant now = clock.instant();
        return moment == null ? now : now.minus(Duration.between(moment, queriedAt));
    }

    /** Marks the part as sent. */
    void sent(Lease lease, OpenParcel open, String externalId) {
        end(lease, open, DeliveryState.SENT, externalId, null);
    }

    /** Marks the part as uncertain, because its outcome cannot be found out. */
    void uncertain(Lease lease, OpenParcel open, String reason) {
        end(lease, open, DeliveryState.UNCERTAIN, null, reason);
    }

    /** Marks the part as dead, with the parts after it in the same message, which would make no sense without it. */
    void dead(Lease lease, OpenParcel open, String reason) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                end(handle, open, DeliveryState.DEAD, null, reason);
                handle.createUpdate("""
                                update deliveries set state = 'dead', ended_at = now(),
                                    problem = 'A part before this one was not delivered.'
                                where destination_id = :destination and thread_id = :thread and seq = :seq
                                    and state = 'waiting'""")
                        .bind("destination", lease.id())
                        .bind("thread", open.thread())
                        .bind("seq", open.seq())
                        .execute();
            }
            return true;
        });
    }

    private void end(
            Lease lease, OpenParcel open, DeliveryState state, @Nullable String externalId, @Nullable String problem) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                end(handle, open, state, externalId, problem);
            }
            return true;
        });
    }

    private static void end(
            Handle handle,
            OpenParcel open,
            DeliveryState state,
            @Nullable String externalId,
            @Nullable String problem) {
        handle.createUpdate("""
                        update deliveries set state = :state, external_id = :external, problem = :problem, ended_at = now()
                        where delivery_id = :id and state in ('waiting', 'sending')""")
                .bind("state", state.wire())
                .bind("external", externalId)
                .bind("problem", problem)
                .bind("id", open.id())
                .execute();
    }

    /** Releases a destination. Its row is locked first, so that parts queued meanwhile are seen. */
    void release(Lease lease, Duration pause, int failures) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                handle.createUpdate("""
                                update destinations set holder = null, held_until = null, failures = :failures,
                                    next_at = case when exists (
                                        select 1 from deliveries d where d.destination_id = destinations.destination_id
                                            and d.state in ('waiting', 'sending'))
                                        then now() + :pause * interval '1 millisecond' end
                                where destination_id = :id""")
                        .bind("failures", failures)
                        .bind("pause", pause.toMillis())
                        .bind("id", lease.id())
                        .execute();
            }
            return true;
        });
    }

    /** Queues the part again, because the platform surely does not have it. */
    void requeue(Lease lease, OpenParcel open, String reason) {
        note(lease, open, "state = 'waiting', begun_at = null, tried_at = null", reason);
    }

    /** Notes an attempt with an unknown outcome; the part is looked up before any other step. */
    void markUnknown(Lease lease, OpenParcel open, String reason) {
        note(lease, open, "tried_at = now()", reason);
    }

    /** Notes a lookup after which the outcome is still unknown. */
    void markUnseen(Lease lease, OpenParcel open, String reason) {
        note(lease, open, "state = 'sending'", reason);
    }

    private void note(Lease lease, OpenParcel open, String change, String reason) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                handle.createUpdate("update deliveries set problem = :problem, " + change
                                + " where delivery_id = :id and state = 'sending'")
                        .bind("problem", reason)
                        .bind("id", open.id())
                        .execute();
            }
            return true;
        });
    }
}
