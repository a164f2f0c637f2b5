package dev.parley.delivery;

import dev.parley.auth.AgentTokens;
import dev.parley.limits.FairShares;
import dev.parley.limits.Limits;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.PageSize;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.ThreadAccess;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to webhooks, in the order of the log and one at a time. The next event follows after the receiver has
 * accepted the previous event. An event whose answer was lost is sent again with the same id, by which the receiver
 * recognises the repetition.
 */
final class WebhookRoute implements DeliveryRoute {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookRoute.class);
    /** A small page, since messages may be large and many webhooks are served at once. */
    private static final PageSize PAGE = PageSize.of(10, 1024 * 1024);

    private static final int GONE = 410;

    private final Dependencies parts;
    private final Limits.Delivery limits;
    private final Clock clock;
    /** The threads that have new events and may have webhooks. */
    private final Set<ThreadId> hinted = ConcurrentHashMap.newKeySet();
    /** Time of the last sweep; used by the one thread that takes leases. */
    private long lastSweep;

    /** Shared parts of the server that webhooks use. */
    record Dependencies(
            WebhookStore store,
            LogReader reader,
            LogPages pages,
            Log log,
            ThreadAccess access,
            AgentTokens tokens,
            Calls calls,
            WebhookSecrets secrets,
            Envelopes envelopes,
            Predicate<ThreadId> mayHaveWebhooks) {}

    WebhookRoute(Dependencies parts, Limits.Delivery limits, Clock clock) {
        this.parts = parts;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public Leases leases() {
        return parts.store().leases();
    }

    @Override
    public boolean hinted(Collection<ThreadId> threads) {
        List<ThreadId> watched =
                threads.stream().filter(parts.mayHaveWebhooks()).toList();
        hinted.addAll(watched);
        return !watched.isEmpty();
    }

    /**
     * Takes the webhooks of hinted threads at once. A periodic sweep takes all other webhooks, for example those of
     * failed nodes.
     */
    @Override
    public Leases.LeaseResult take(FairShares<String> slots) {
        long now = System.nanoTime();
        Leases.LeaseResult taken;
        if (lastSweep == 0 || now - lastSweep > limits.webhookSweep().toNanos()) {
            taken = parts.store().takeAny(slots);
            lastSweep = taken.more() ? lastSweep : now;
        } else {
            Set<ThreadId> threads = Set.copyOf(hinted);
            // The hints are removed before the query, so that later hints are not lost.
            hinted.removeAll(threads);
            taken = parts.store().take(threads, slots);
            if (taken.more()) {
                hinted.addAll(threads);
            }
        }
        hinted.addAll(taken.leftBack());
        return taken;
    }

    @Override
    public void release(Lease lease) {
        leases().release(lease, Duration.ZERO, 0);
    }

    @Override
    public void serve(Lease lease) throws InterruptedException {
        long end = System.nanoTime() + limits.turn().toNanos();
        while (true) {
            Optional<Webhook> webhook = parts.store().held(lease);
            if (webhook.isEmpty() || isOver(lease, webhook.get()) || !sendPage(lease, webhook.get(), end)) {
                return;
            }
        }
    }

    /**
     * Switches a webhook off, and returns true, if its owner may no longer read the thread or if the owner's token is
     * no longer valid.
     */
    private boolean isOver(Lease lease, Webhook webhook) {
        UUID credential = webhook.credential();
        boolean reads = !parts.access()
                .stillReadable(Set.of(new ThreadAccess.Membership(webhook.thread(), webhook.owner())))
                .isEmpty();
        boolean proven =
                credential == null || !parts.tokens().alive(Set.of(credential)).isEmpty();
        if (!reads || !proven) {
            parts.store().switchOff(lease, "The webhook's owner may no longer read this thread.");
        }
        return !reads || !proven;
    }

    /**
     * @param end the end of the webhook's turn, by the clock of {@link System#nanoTime}
     * @return true if there may be more to send
     */
    private boolean sendPage(Lease lease, Webhook webhook, long end) throws InterruptedException {
        // Webhooks do not receive events of runs. If only events of runs follow, the webhook's position advances to the
        // last position. The last position is read before the page, so that no other event is skipped.
        long last = parts.reader().lastPosition(webhook.thread());
        List<Event> events = parts.pages()
                .eventsAfter(webhook.thread(), webhook.position(), PAGE)
                .events();
        if (events.isEmpty()) {
            parts.store().advance(lease, Math.max(last, webhook.position()));
            // A hint that came after the read found the webhook leased. The thread is therefore hinted again.
            hinted.add(webhook.thread());
            release(lease);
            return false;
        }
        for (Event event : events) {
            Attempt attempt = attempt(webhook, event);
            if (!attempt.accepted()) {
                fail(lease, attempt);
                return false;
            }
            if (!parts.store().advance(lease, event.position())) {
                return false;
            }
            if (!lease.isSure() || System.nanoTime() - end >= 0) {
                // The webhook is due again from now on, after webhooks that have waited longer.
                hinted.add(webhook.thread());
                release(lease);
                return false;
            }
        }
        return true;
    }

    private Attempt attempt(Webhook webhook, Event event) throws InterruptedException {
        try {
            Optional<byte[]> body = parts.envelopes().of(event, webhook.owner());
            return body.isPresent() ? post(webhook, event, body.get()) : Attempt.ACCEPTED;
        } catch (IllegalArgumentException | IllegalStateException broken) {
            LOG.error("Webhook {}: could not build event {}; backing off", webhook.id(), event.position(), broken);
            return Attempt.failed("The server could not build the event.");
        }
    }

    /**
     * The receiver's reaction to an event.
     *
     * @param gone true if the receiver wants no further events
     */
    private record Attempt(
            boolean accepted, String problem, @Nullable Duration after, boolean gone) {
        static final Attempt ACCEPTED = new Attempt(true, "", null, false);

        static Attempt failed(String problem) {
            return new Attempt(false, problem, null, false);
        }
    }

    private Attempt post(Webhook webhook, Event event, byte[] body) throws InterruptedException {
        // The id is the same at every attempt and after a redelivery, so that the receiver recognises repetitions.
        String id = "msg_" + webhook.id() + "_" + event.position();
        long timestamp = clock.instant().getEpochSecond();
        try {
            Calls.Answer answer = parts.calls()
                    .make(Calls.Request.post(OutboundUrl.parse(webhook.url()), "application/json", body)
                            .within(limits.webhookAnswer())
                            .with("webhook-id", id)
                            .with("webhook-timestamp", Long.toString(timestamp))
                            .with(
                                    "webhook-signature",
                                    parts.secrets().sign("webhook/" + webhook.id(), id, timestamp, body)));
            boolean accepted = answer.status() >= 200 && answer.status() < 300;
            return accepted
                    ? Attempt.ACCEPTED
                    : new Attempt(
                            false,
                            "The receiver answered " + answer.status() + ".",
                            answer.header("Retry-After")
                                    .flatMap(RetryAfter::parse)
                                    .orElse(null),
                            answer.status() == GONE);
        } catch (Calls.NoAnswer | OutboundRefused unreached) {
            return Attempt.failed(String.valueOf(unreached.getMessage()));
        }
    }

    private void fail(Lease lease, Attempt attempt) {
        Optional<Webhook> failing = parts.store().failed(lease, attempt.problem());
        if (failing.isEmpty()) {
            return;
        }
        Webhook webhook = failing.get();
        Instant since = webhook.failingSince();
        if (attempt.gone() || since != null && since.plus(limits.patience()).isBefore(clock.instant())) {
            switchOff(lease, webhook, attempt.problem());
        } else {
            leases().release(lease, DeliveryDelay.after(webhook.failures(), attempt.after()), webhook.failures());
        }
    }

    private void switchOff(Lease lease, Webhook webhook, String problem) {
        if (!parts.store().switchOff(lease, problem)) {
            return;
        }
        LOG.warn("Webhook {} switched off after failures: {}", webhook.id(), problem);
        String payload = Json.MAPPER.writeValueAsString(Json.MAPPER
                .createObjectNode()
                .put("webhook_id", webhook.id().toString())
                .put("reason", problem));
        try {
            parts.log()
                    .append(new Command(
                            UuidV7.next(),
                            webhook.thread(),
                            Actor.SYSTEM,
                            List.of(new Change.Announce(Webhooks.SWITCHED_OFF, Actor.SYSTEM, payload))));
        } catch (ProblemException unsaid) {
            // The state is visible in the API; only the event is missing.
            LOG.warn("Webhook {}: could not announce that it is off: {}", webhook.id(), unsaid.toString());
        }
    }
}
