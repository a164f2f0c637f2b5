package dev.parley.wakeups;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's place on the way to the others. Hints are handed over at once; a thread of its own carries what has gathered,
 * one load after the other, and what cannot be carried is dropped: whoever was to be woken looks by itself about once a
 * second. It also measures the way, and knows which other nodes are there: while there are none, nothing is sent.
 */
public final class Bus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bus.class);
    private static final Duration RESET_AFTER = Duration.ofSeconds(10);
    private static final Duration LAST_LOAD = Duration.ofSeconds(2);

    private final Wakeups wakeups;
    private final UUID node = UUID.randomUUID();
    private final Outbox outbox = new Outbox();
    private final Pulse pulse = new Pulse();
    private final Peers peers = new Peers();
    private final BusMeters meters;
    private final Thread worker =
            Thread.ofPlatform().name("parley-wakeups").daemon().unstarted(this::work);
    private volatile Consumer<List<Hint>> listener = hints -> {};
    private volatile boolean closing;
    private @Nullable Exception lastFailure;
    private boolean saidLate;
    private long lastReset = System.nanoTime();

    private Bus(Wakeups wakeups, MeterRegistry metrics) {
        this.wakeups = wakeups;
        this.meters = new BusMeters(metrics, this);
    }

    /** Joins the others. What carries the hints need not be there yet; it is looked for until it is. */
    public static Bus start(Wakeups wakeups, MeterRegistry metrics) {
        Bus bus = new Bus(wakeups, metrics);
        wakeups.join(bus::heard);
        bus.worker.start();
        return bus;
    }

    /** Has somebody told of other nodes' hints, who must return quickly. */
    public void listen(Consumer<List<Hint>> next) {
        listener = next;
    }

    /** Tells the other nodes, if there are any. Never waits and never fails. */
    public void send(Collection<Hint> hints) {
        if (!peers.none() && !hints.isEmpty()) {
            int refused = outbox.add(hints);
            if (refused > 0) {
                meters.dropped(refused);
            }
        }
    }

    /** Whether hints arrive later than others would find out by themselves, or not at all. */
    public boolean isLate() {
        return pulse.isLate();
    }

    /** How long a message takes, measured about once a second. */
    public Optional<Duration> lag() {
        return pulse.lag();
    }

    /** How many other nodes were heard of lately. */
    public int peers() {
        return peers.count();
    }

    /** How many threads wait to be told of. */
    int waiting() {
        return outbox.size();
    }

    private void heard(String text) {
        Wire.read(text).ifPresent(letter -> {
            if (letter.node().equals(node)) {
                pulse.answered(letter.pulse()).ifPresent(meters::cameBack);
                return;
            }
            if (peers.note(letter.node())) {
                // It should know of this node as well, and soon: until then it tells nothing.
                pulse.beSoon();
                outbox.nudge();
            }
            if (!letter.hints().isEmpty()) {
                meters.received(letter.hints().size());
                tell(letter.hints());
            }
        });
    }

    private void tell(List<Hint> hints) {
        try {
            listener.accept(hints);
        } catch (RuntimeException failed) {
            LOG.debug("Hints were not followed: {}", failed.toString());
        }
    }

    private void work() {
        try {
            while (!closing) {
                List<Hint> hints = outbox.take(pulse.untilNext());
                boolean due = pulse.untilNext().isZero();
                if (due || !hints.isEmpty()) {
                    carry(hints, due ? pulse.beat() : 0);
                    lookAfter();
                    Thread.sleep(wakeups.pace());
                }
            }
            carry(outbox.take(Duration.ZERO), 0);
        } catch (InterruptedException stopped) {
            LOG.debug("The last hints were not sent");
        }
    }

    private void carry(List<Hint> hints, long beat) throws InterruptedException {
        List<Wakeups.Message> messages = Wire.write(node, beat, hints, wakeups.places());
        if (messages.isEmpty()) {
            return;
        }
        try {
            wakeups.carry(messages);
            meters.sent(hints.size());
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception unavailable) {
            lastFailure = unavailable;
            meters.dropped(hints.size());
        }
    }

    /** Says once that the bus is gone, and once that it is back; and gives up connections that seem to be dead. */
    private void lookAfter() {
        peers.forgetSilent();
        boolean late = isLate();
        if (late && !saidLate) {
            LOG.warn(
                    "Hints of other nodes are late ({}); until they are back, nodes find each other's news by polling.",
                    lastFailure == null ? "nothing comes back" : reason(lastFailure));
        } else if (!late && saidLate) {
            LOG.info("Hints of other nodes arrive again.");
            lastFailure = null;
        }
        saidLate = late;
        long now = System.nanoTime();
        if (pulse.silence().compareTo(RESET_AFTER) > 0 && now - lastReset > RESET_AFTER.toNanos()) {
            lastReset = now;
            wakeups.reset();
        }
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    /** Sends what waits, if that is quickly done, and leaves. */
    @Override
    public void close() {
        closing = true;
        outbox.nudge();
        try {
            if (worker.isAlive() && !worker.join(LAST_LOAD)) {
                worker.interrupt();
                worker.join(LAST_LOAD);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        wakeups.close();
    }
}
