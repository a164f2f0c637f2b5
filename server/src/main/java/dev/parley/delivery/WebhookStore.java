package dev.parley.delivery;

import dev.parley.agents.Sharers;
import dev.parley.limits.FairShares;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table of webhooks: one row for each, with how far its receiver has come. */
final class WebhookStore {
    /** Those whose thread has gone on. */
    private static final String BEHIND = """
            select w.webhook_id from webhooks w join thread_heads h using (thread_id)
            where w.state = 'on' and h.last_position > w.position""";

    private final Database database;
    private final Leases leases;

    WebhookStore(Database database, Duration lease) {
        this.database = database;
        this.leases = new Leases(database, "webhooks", "webhook_id", Sharers.of("webhooks.owner"), lease);
    }

    Leases leases() {
        return leases;
    }

    /** All that are behind: asked now and then, since it looks at every webhook. */
    Leases.LeaseResult takeAny(FairShares<String> slots) {
        return leases.take(BEHIND, query -> query, slots);
    }

    /** Those of some threads, and those that failed. */
    Leases.LeaseResult take(Collection<ThreadId> threads, FairShares<String> slots) {
        return leases.take(
                BEHIND + " and (w.thread_id = any (:threads) or w.failures > 0)",
                query -> query.bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray()),
                slots);
    }

    static void insert(Handle handle, Webhook made) {
        handle.createUpdate("""
                        insert into webhooks (webhook_id, thread_id, owner, credential, callback_url, position, state,
                            next_at, created_at)
                        values (:id, :thread, :owner, cast(:credential as uuid), :url, :position, 'on', now(), :now)""")
                .bind("id", made.id())
                .bind("thread", made.thread().value())
                .bind("owner", made.owner().value())
                .bind("credential", made.credential())
                .bind("url", made.url())
                .bind("position", made.position())
                .bind("now", made.createdAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    static List<Webhook> list(Handle handle, ThreadId thread) {
        return handle.createQuery("select * from webhooks where thread_id = :thread order by created_at, webhook_id")
                .bind("thread", thread.value())
                .map((row, context) -> Webhook.read(row))
                .list();
    }

    static Optional<Webhook> find(Handle handle, UUID id) {
        return handle.createQuery("select * from webhooks where webhook_id = :id")
                .bind("id", id)
                .map((row, context) -> Webhook.read(row))
                .findOne();
    }

    static void delete(Handle handle, UUID id) {
        handle.createUpdate("delete from webhooks where webhook_id = :id")
                .bind("id", id)
                .execute();
    }

    /** Begins anew from a position; whoever is sending there now stops. */
    static void restart(Handle handle, UUID id, long position) {
        handle.createUpdate("""
                        update webhooks set state = 'on', position = :position, failing_since = null, failures = 0,
                            problem = null, next_at = now(), holder = null, held_until = null
                        where webhook_id = :id""").bind("position", position).bind("id", id).execute();
    }

    /** The webhook of a lease; empty if the lease is over. */
    Optional<Webhook> held(Lease lease) {
        return database.read(handle -> handle.createQuery(
                        "select * from webhooks where webhook_id = :id and holder = :holder and state = 'on'")
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .map((row, context) -> Webhook.read(row))
                .findOne());
    }

    /** Its receiver has taken everything up to here. */
    boolean advance(Lease lease, long position) {
        return database.once(handle -> handle.createUpdate("""
                                update webhooks set position = :position, failing_since = null, failures = 0, problem = null
                                where webhook_id = :id and holder = :holder""")
                        .bind("position", position)
                        .bind("id", lease.id())
                        .bind("holder", lease.holder())
                        .execute())
                == 1;
    }

    /** It was not taken; since when, is answered. */
    Optional<Webhook> failed(Lease lease, String problem) {
        return database.once(handle -> handle.createQuery("""
                        update webhooks set failing_since = coalesce(failing_since, now()), failures = failures + 1,
                            problem = :problem
                        where webhook_id = :id and holder = :holder returning *""")
                .bind("problem", problem)
                .bind("id", lease.id())
                .bind("holder", lease.holder())
                .map((row, context) -> Webhook.read(row))
                .findOne());
    }

    /** Nothing is sent any more until somebody switches it on again. */
    boolean switchOff(Lease lease, String problem) {
        return database.once(handle -> handle.createUpdate("""
                                update webhooks set state = 'off', problem = :problem, holder = null, held_until = null
                                where webhook_id = :id and holder = :holder and state = 'on'""")
                        .bind("problem", problem)
                        .bind("id", lease.id())
                        .bind("holder", lease.holder())
                        .execute())
                == 1;
    }
}
