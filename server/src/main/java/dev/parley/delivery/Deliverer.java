package dev.parley.delivery;

import dev.parley.auth.AgentTokens;
import dev.parley.limits.FairShares;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.outbound.Calls;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadAccess;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends due deliveries, on every node. The deliverer leases destinations with due deliveries, serves each on a thread
 * of its own, and renews the leases meanwhile. Commits of this node wake the deliverer. The work of a failed node is
 * found within a second after its lease ends.
 */
public final class Deliverer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** Time between two polls, so that one poll serves many commits. */
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(10);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final List<Serving> servings = new ArrayList<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-delivery-leases").daemon().factory());
    private final Duration lastSends;
    private volatile boolean closed;

    /** Shared parts of the server that deliveries use. */
    public record Dependencies(
            Database database,
            LogReader reader,
            Log log,
            ThreadAccess access,
            AgentTokens tokens,
            Calls calls,
            WebhookSecrets secrets,
            Envelopes envelopes,
            Predicate<ThreadId> mayHaveWebhooks) {}

    /**
     * @param transports the transports of the platforms that this server serves
     * @param ended receives the final state of each part
     */
    public static Deliverer start(
            Dependencies parts,
            Collection<ChatTransport> transports,
            Consumer<DeliveryState> ended,
            Limits.Delivery limits,
            Clock clock) {
        WebhookStore webhooks = new WebhookStore(parts.database(), limits.lease());
        return new Deliverer(
                List.of(
                        platforms(parts.database(), transports, ended, limits, clock),
                        new WebhookRoute(
                                new WebhookRoute.Dependencies(
                                        webhooks,
                                        parts.reader(),
                                        new LogPages(parts.database()),
                                        parts.log(),
                                        parts.access(),
                                        parts.tokens(),
                                        parts.calls(),
                                        parts.secrets(),
                                        parts.envelopes(),
                                        parts.mayHaveWebhooks()),
                                limits,
                                clock)),
                limits.atOnce(),
                CLOSE_TIMEOUT);
    }

    static DeliveryRoute platforms(
            Database database,
            Collection<ChatTransport> transports,
            Consumer<DeliveryState> ended,
            Limits.Delivery limits,
            Clock clock) {
        return new PlatformRoute(
                new Parcels(database, limits.lease(), clock),
                transports.stream().collect(Collectors.toMap(ChatTransport::source, transport -> transport)),
                limits.patience(),
                limits.turn(),
                ended,
                clock);
    }

    /**
     * @param slots the number of destinations that each route serves at the same time
     * @param lastSends the time that sends in progress have after the close, before they are interrupted
     */
    Deliverer(List<DeliveryRoute> routes, int slots, Duration lastSends) {
        this.lastSends = lastSends;
        routes.forEach(route -> servings.add(new Serving(route, slots)));
        servings.forEach(Serving::start);
    }

    /** Handles commits of this node, after which deliveries may be due. */
    public void committed(List<Event> events) {
        if (events.stream().anyMatch(event -> !(event instanceof Event.Emitted))) {
            due(events.stream()
                    .filter(event -> !(event instanceof Event.Emitted))
                    .map(Event::thread)
                    .collect(Collectors.toSet()));
        }
    }

    /** Notes that events of this node or of another node may have made deliveries of these threads due. */
    public void due(Collection<ThreadId> threads) {
        servings.forEach(serving -> {
            if (serving.route.hinted(threads)) {
                serving.wake();
            }
        });
    }

    /** True if this node has a free slot on every route. */
    public boolean hasRoom() {
        return !closed && servings.stream().allMatch(serving -> serving.slots.free() > 0);
    }

    /**
     * The number of due destinations that, at the last poll, waited for other destinations of the same owner or
     * workspace.
     */
    public int overShare() {
        return servings.stream().mapToInt(serving -> serving.leftBack).sum();
    }

    /** One route, and this node's leases on it. */
    private final class Serving {
        private final DeliveryRoute route;
        private final Set<Lease> held = ConcurrentHashMap.newKeySet();
        private final FairShares<String> slots;
        private final Semaphore woken = new Semaphore(0);
        private final Thread taking =
                Thread.ofPlatform().name("parley-delivery").daemon().unstarted(this::run);

        private volatile int leftBack;

        Serving(DeliveryRoute route, int slots) {
            this.route = route;
            this.slots = new FairShares<>(slots);
        }

        void start() {
            taking.start();
            long beat = Math.max(50, route.leases().length().toMillis() / 3);
            heartbeat.scheduleWithFixedDelay(this::renew, beat, beat, TimeUnit.MILLISECONDS);
        }

        void wake() {
            if (woken.availablePermits() == 0) {
                woken.release();
            }
        }

        void stop() throws InterruptedException {
            taking.interrupt();
            taking.join(lastSends);
        }

        private void run() {
            while (!closed) {
                try {
                    if (woken.tryAcquire(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                        woken.drainPermits();
                    }
                    takeAll();
                    Thread.sleep(MIN_POLL_INTERVAL);
                } catch (InterruptedException interrupted) {
                    return;
                } catch (RuntimeException unavailable) {
                    LOG.debug(
                            "Deliverer: could not take leases; retrying on the next poll: {}", unavailable.toString());
                }
            }
        }

        private void takeAll() {
            boolean more = true;
            while (more && !closed && slots.free() > 0) {
                Leases.LeaseResult taken = route.take(slots);
                leftBack = taken.leftBack().size();
                taken.leases().forEach(this::serve);
                more = taken.more() && !taken.leases().isEmpty();
            }
        }

        /** Serves a lease that already occupies a slot. */
        private void serve(Lease lease) {
            held.add(lease);
            workers.execute(() -> {
                try {
                    route.serve(lease);
                } catch (InterruptedException stopping) {
                    // The lease is released at once, so that other nodes need not wait until it ends.
                    route.release(lease);
                } catch (RuntimeException failed) {
                    // The lease expires by itself, and a node continues from the stored state.
                    LOG.warn(
                            "Deliverer: serving lease {} failed; continuing after the lease ends: {}",
                            lease.id(),
                            failed.toString());
                } finally {
                    held.remove(lease);
                    slots.giveBack(lease.sharer());
                    // Deliveries may have become due during the release.
                    wake();
                }
            });
        }

        private void renew() {
            try {
                route.leases().renew(held);
            } catch (RuntimeException unavailable) {
                LOG.debug("Deliverer: could not renew leases; retrying at the next beat: {}", unavailable.toString());
            }
        }
    }

    /** Waits a limited time for sends in progress. A node later looks up the outcome of interrupted sends. */
    @Override
    public void close() {
        closed = true;
        try {
            for (Serving serving : servings) {
                serving.stop();
            }
            workers.shutdown();
            if (!workers.awaitTermination(lastSends.toMillis(), TimeUnit.MILLISECONDS)) {
                workers.shutdownNow();
                workers.awaitTermination(lastSends.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        heartbeat.shutdownNow();
    }
}
