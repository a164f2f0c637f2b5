package dev.parley.delivery;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.LogReader;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadFactsCache;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The front door of webhooks. A reader of a thread may have the thread's events sent to a URL. Readers see and change
 * their own webhooks. Managers see and change all webhooks of the thread.
 */
public final class Webhooks {
    /** The type of the event that announces that a webhook was switched off. */
    static final String SWITCHED_OFF = "webhook_disabled";

    private final Database database;
    private final ThreadAccess access;
    private final LogReader reader;
    private final Outbound outbound;
    private final WebhookSecrets secrets;
    private final Limits.Delivery limits;
    private final Clock clock;

    public Webhooks(
            Database database,
            ThreadAccess access,
            LogReader reader,
            Outbound outbound,
            WebhookSecrets secrets,
            Limits.Delivery limits,
            Clock clock) {
        this.database = database;
        this.access = access;
        this.reader = reader;
        this.outbound = outbound;
        this.secrets = secrets;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * A new webhook.
     *
     * @param secret the secret of its signatures; null for a repeated request
     */
    public record CreatedWebhook(Webhook webhook, @Nullable String secret) {}

    /** Creates a webhook that receives all events from now on. */
    public CreatedWebhook create(Principal caller, ThreadId thread, String url, Optional<RequestKey> request) {
        caller.requirePlace();
        access.requireReadable(caller, thread);
        requireCallable(url);
        Webhook webhook = new Webhook(
                UuidV7.next(),
                thread,
                caller.actor(),
                caller instanceof Principal.Agent agent ? agent.tokenId() : null,
                url,
                reader.lastPosition(thread),
                true,
                null,
                0,
                null,
                clock.instant());
        return database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, webhook.id()));
            if (before.isPresent()) {
                return new CreatedWebhook(
                        WebhookStore.find(handle, before.get()).orElseThrow(Webhooks::notFound), null);
            }
            requireRoom(handle, thread);
            WebhookStore.insert(handle, webhook);
            ThreadFactsCache.outdate(handle, thread);
            return new CreatedWebhook(webhook, secrets.secretOf(webhook.id()));
        });
    }

    /** Refuses a URL that may not be called. Each call of the webhook checks the URL again. */
    private void requireCallable(String url) {
        OutboundUrl parsed;
        try {
            parsed = OutboundUrl.parse(url);
        } catch (IllegalArgumentException wrong) {
            throw refused(String.valueOf(wrong.getMessage()));
        }
        if (!"https".equalsIgnoreCase(parsed.uri().getScheme()) && !outbound.isAllowed(parsed.destination())) {
            throw refused("must begin with https://");
        }
        try {
            outbound.addresses(parsed);
        } catch (OutboundRefused | UnknownHostException closed) {
            throw refused("does not resolve to a public host");
        }
    }

    private static ProblemException refused(String fault) {
        return ProblemException.invalidField("callback_url", fault);
    }

    private void requireRoom(Handle handle, ThreadId thread) {
        // The lock serialises the creations in one thread, so that the count holds.
        boolean exists = handle.createQuery("select 1 from threads where thread_id = :thread for no key update")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
        if (!exists) {
            throw notFound();
        }
        if (WebhookStore.list(handle, thread).size() >= limits.webhooks()) {
            throw new ProblemException(
                    Problem.TOO_MANY_WEBHOOKS,
                    "The thread has " + limits.webhooks() + " webhooks already; remove one first.");
        }
    }

    /** The webhooks that the caller may see, the oldest first. */
    public List<Webhook> list(Principal caller, ThreadId thread) {
        boolean all = isManager(caller, thread);
        return database.read(handle -> WebhookStore.list(handle, thread)).stream()
                .filter(webhook -> all || webhook.owner().equals(caller.actor()))
                .toList();
    }

    private boolean isManager(Principal caller, ThreadId thread) {
        caller.requirePlace();
        access.requireReadable(caller, thread);
        return caller.scopes().contains(Capability.CAN_MANAGE_PARTICIPANTS)
                && access.require(caller, thread).allows(caller.actor(), Capability.CAN_MANAGE_PARTICIPANTS);
    }

    public void delete(Principal caller, ThreadId thread, String id) {
        Webhook webhook = require(caller, thread, id);
        database.transact(handle -> {
            WebhookStore.delete(handle, webhook.id());
            return true;
        });
    }

    /** Switches a webhook on again at its old position, so that the events after that position are sent. */
    public Webhook enable(Principal caller, ThreadId thread, String id) {
        Webhook webhook = require(caller, thread, id);
        return restart(webhook, webhook.position());
    }

    /**
     * Sends the events after an entry again.
     *
     * @param afterSeq the seq of the entry; 0 for all events
     */
    public Webhook redeliver(Principal caller, ThreadId thread, String id, long afterSeq) {
        Webhook webhook = require(caller, thread, id);
        if (afterSeq > reader.lastSeq(thread)) {
            throw ProblemException.invalidField("after_seq", "is above the thread's last seq");
        }
        long position = afterSeq == 0 ? 0 : reader.positionOf(thread, afterSeq).orElse(0);
        return restart(webhook, Math.min(position, webhook.position()));
    }

    private Webhook restart(Webhook webhook, long position) {
        return database.transact(handle -> {
            WebhookStore.restart(handle, webhook.id(), position);
            return WebhookStore.find(handle, webhook.id()).orElseThrow(Webhooks::notFound);
        });
    }

    private Webhook require(Principal caller, ThreadId thread, String id) {
        return list(caller, thread).stream()
                .filter(webhook -> webhook.id().toString().equals(id))
                .findFirst()
                .orElseThrow(Webhooks::notFound);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.WEBHOOK_NOT_FOUND, "There is no such webhook in this thread.");
    }
}
