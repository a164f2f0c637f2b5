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
import dev.parley.threads.Threads;
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
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what waits to be sent, on every node: takes leases of places that have something due, serves each on a thread of
 * its own, and holds on to them while it does. Woken by commits of this node; what others leave behind is found within a
 * second of the end of their lease.
 */
public final class Deliverer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deliverer.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** Between two looks: at many commits a second, one look serves them all. */
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(10);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final List<Serving> servings = new ArrayList<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-delivery-leases").daemon().factory());
    private final Duration lastSends;
    private volatile boolean closed;

    /** What it is built on. */
    public record Dependencies(
            Database database,
            LogReader reader,
            Log log,
            Threads threads,
            AgentTokens tokens,
            Calls calls,
            WebhookSecrets secrets,
            Envelopes envelopes) {}

    /**
     * @param transports for the places that this server serves
     * @param ended told how each part of a reply ended
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
                                        parts.threads(),
                                        parts.tokens(),
                                        parts.calls(),
                                        parts.secrets(),
                                        parts.envelopes()),
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
     * @param slots how much is served at the same time on each route
     * @param lastSends how long a send under way may take once this is closed, before it is cut off
     */
    Deliverer(List<DeliveryRoute> routes, int slots, Duration lastSends) {
        this.lastSends = lastSends;
        routes.forEach(route -> servings.add(new Serving(route, slots)));
        servings.forEach(Serving::start);
    }

    /** Told of commits: something may have become due. */
    public void committed(List<Event> events) {
        if (events.stream().anyMatch(event -> !(event instanceof Event.Emitted))) {
            due(events.stream()
                    .filter(event -> !(event instanceof Event.Emitted))
                    .map(Event::thread)
                    .collect(Collectors.toSet()));
        }
    }

    /** Something may have become due by what happened in these threads, here or on another node. */
    public void due(Collection<ThreadId> threads) {
        servings.forEach(serving -> {
            serving.route.hinted(threads);
            serving.wake();
        });
    }

    /** Whether this node could serve one more place on every route. */
    public boolean hasRoom() {
        return !closed && servings.stream().allMatch(serving -> serving.slots.free() > 0);
    }

    /** How much was due at the last look and waits for others of the same owner or workspace. */
    public int overShare() {
        return servings.stream().mapToInt(serving -> serving.leftBack).sum();
    }

    /** One route, and the leases that this node holds on it. */
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
                    LOG.debug("What is due is looked for later: {}", unavailable.toString());
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

        /** Its slot is taken already. */
        private void serve(Lease lease) {
            held.add(lease);
            workers.execute(() -> {
                try {
                    route.serve(lease);
                } catch (InterruptedException stopping) {
                    // Others need not wait for the lease to run out.
                    route.release(lease);
                } catch (RuntimeException failed) {
                    // The lease runs out by itself, and somebody goes on from what was written down.
                    LOG.warn("A delivery goes on later: {}", failed.toString());
                } finally {
                    held.remove(lease);
                    slots.giveBack(lease.sharer());
                    // Something may have come while it was given back.
                    wake();
                }
            });
        }

        private void renew() {
            try {
                route.leases().renew(held);
            } catch (RuntimeException unavailable) {
                LOG.debug("Leases could not be renewed: {}", unavailable.toString());
            }
        }
    }

    /** Lets what is being sent finish, for a moment: whatever is cut off is looked for when somebody sends again. */
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
