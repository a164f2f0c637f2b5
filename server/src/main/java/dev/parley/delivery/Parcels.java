package dev.parley.delivery;

import dev.parley.storage.Database;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The queue of parts in the database. Every step is written before the next is taken, and only by whoever holds the
 * place's lease: so a crash at any moment leaves a row that says what is known.
 */
final class Parcels {
    /** From one place with something open to the next, so that it costs nothing how much waits at each. */
    private static final String PLACES = """
            with recursive open as (
                (select d.destination_id from deliveries d where d.state in ('waiting', 'sending')
                    order by d.destination_id limit 1)
                union all
                select next.destination_id from open cross join lateral (
                    select d.destination_id from deliveries d
                    where d.state in ('waiting', 'sending') and d.destination_id > open.destination_id
                    order by d.destination_id limit 1) as next)
            select destination_id from open join destinations using (destination_id) where source = any (:sources)""";

    private final Database database;
    private final Leases leases;

    Parcels(Database database, Duration lease) {
        this.database = database;
        this.leases = new Leases(database, "destinations", "destination_id", lease);
    }

    Leases leases() {
        return leases;
    }

    List<Lease> take(Set<String> sources, int most) {
        return leases.take(PLACES, query -> query.bindArray("sources", String.class, sources.toArray()), most);
    }

    /** The part whose turn it is; empty if everything is sent. */
    Optional<OpenParcel> next(Lease lease) {
        return database.read(handle -> handle.createQuery("""
                        select d.*, t.source, t.workspace, t.channel, t.external_thread, t.failures,
                            coalesce(d.begun_at, now()) as first_at, coalesce(d.tried_at, now()) as last_at,
                            o.external_id as changed
                        from destinations t join deliveries d using (destination_id)
                        left join deliveries o
                            on o.destination_id = d.destination_id and o.seq = d.revises and o.part = d.part
                        where t.destination_id = :id and t.holder = :holder and d.state in ('waiting', 'sending')
                        order by d.seq, d.part limit 1""")
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .map((row, context) -> new OpenParcel(
                        row.getObject("delivery_id", UUID.class),
                        DeliveryState.parse(row.getString("state")),
                        new Parcel(
                                row.getString("marker"),
                                ListedDelivery.place(row),
                                row.getString("content"),
                                row.getObject("first_at", OffsetDateTime.class).toInstant(),
                                row.getObject("last_at", OffsetDateTime.class).toInstant()),
                        row.getLong("seq"),
                        row.getObject("revises") != null,
                        row.getString("changed"),
                        row.getInt("failures"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .findOne());
    }

    /**
     * Writes down that a part is about to be handed over. From here on it may be there.
     *
     * @return the part as it is handed over; empty if it may not be, since the lease or the part's turn is over
     */
    Optional<Parcel> begin(Lease lease, OpenParcel open) {
        return database.transact(handle -> leases.isHeld(handle, lease)
                ? handle.createQuery("""
                                update deliveries set state = 'sending', begun_at = coalesce(begun_at, now()),
                                    tried_at = now(), attempts = attempts + 1
                                where delivery_id = :id and state = :state returning begun_at, tried_at""")
                        .bind("id", open.id())
                        .bind("state", open.state().wire())
                        .map((row, context) -> open.parcel()
                                .handedOver(
                                        row.getObject("begun_at", OffsetDateTime.class)
                                                .toInstant(),
                                        row.getObject("tried_at", OffsetDateTime.class)
                                                .toInstant()))
                        .findOne()
                : Optional.empty());
    }

    /** It is there. */
    void sent(Lease lease, OpenParcel open, String externalId) {
        end(lease, open, DeliveryState.SENT, externalId, null);
    }

    /** Nobody will know. */
    void uncertain(Lease lease, OpenParcel open, String why) {
        end(lease, open, DeliveryState.UNCERTAIN, null, why);
    }

    /** It is not there and no longer tried; neither is what would follow it in the same message, which would make no sense. */
    void dead(Lease lease, OpenParcel open, String why) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                end(handle, open, DeliveryState.DEAD, null, why);
                handle.createUpdate("""
                                update deliveries set state = 'dead', ended_at = now(),
                                    problem = 'A part before this one was not delivered.'
                                where destination_id = :destination and seq = :seq and state = 'waiting'""")
                        .bind("destination", lease.id())
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

    /** It is surely not there: it waits again. */
    void again(Lease lease, OpenParcel open, String why) {
        note(lease, open, "state = 'waiting', begun_at = null, tried_at = null", why);
    }

    /** It may be there, from an attempt that was given up just now: it is asked for before anything else is done. */
    void doubt(Lease lease, OpenParcel open, String why) {
        note(lease, open, "tried_at = now()", why);
    }

    /** It was asked for, and is as unknown as before. */
    void unseen(Lease lease, OpenParcel open, String why) {
        note(lease, open, "state = 'sending'", why);
    }

    private void note(Lease lease, OpenParcel open, String change, String why) {
        database.transact(handle -> {
            if (leases.isHeld(handle, lease)) {
                handle.createUpdate("update deliveries set problem = :problem, " + change
                                + " where delivery_id = :id and state = 'sending'")
                        .bind("problem", why)
                        .bind("id", open.id())
                        .execute();
            }
            return true;
        });
    }
}
