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

/** The table of webhooks, with the position of each receiver. */
final class WebhookStore {
    /** The webhooks whose threads have newer events. */
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

    /** Takes the leases of any webhooks with newer events. Used rarely, because the query reads every webhook. */
    Leases.LeaseResult takeAny(FairShares<String> slots) {
        return leases.take(BEHIND, query -> query, slots);
    }

    /** Takes the leases of webhooks with newer events: the webhooks of some threads, and all webhooks that failed. */
    Leases.LeaseResult take(Collection<ThreadId> threads, FairShares<String> slots) {
        return leases.take(
                BEHIND + " and (w.thread_id = any (:threads) or w.failures > 0)",
                query -> query.bindArray(
                        "threads",
                        UUID.class,
                        threads.stream().map(ThreadId::value).toArray()),
                slots);
    }

    static void insert(Handle handle, Webhook webhook) {
        handle.createUpdate("""
                        insert into webhooks (webhook_id, thread_id, owner, credential, callback_url, position, state,
                            next_at, created_at)
                        values (:id, :thread, :owner, cast(:credential as uuid), :url, :position, 'on', now(), :now)""")
                .bind("id", webhook.id())
                .bind("thread", webhook.thread().value())
                .bind("owner", webhook.owner().value())
                .bind("credential", webhook.credential())
                .bind("url", webhook.url())
                .bind("position", webhook.position())
                .bind("now", webhook.createdAt().atOffset(ZoneOffset.UTC))
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

    /** Restarts a webhook at a position; the current holder of its lease stops. */
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

    /** Stores the position up to which the receiver has accepted events; false if the lease is lost. */
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

    /** Stores a failure, and returns the webhook with the start of its failures; empty if the lease is lost. */
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

    /** Switches a webhook off until a caller switches it on again; false if the lease is lost. */
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
