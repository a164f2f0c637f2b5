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
 * A node's connection to the other nodes. The bus accepts hints at once, and a thread of its own sends the gathered
 * hints in one load after the other. The bus drops a hint that it cannot send, because readers poll about once a second
 * anyway. It also measures its delay, and tracks the other nodes. Without other nodes, the bus sends nothing.
 */
public final class Bus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Bus.class);
    private static final Duration RESET_AFTER = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

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
    private boolean reportedLate;
    private long lastReset = System.nanoTime();

    private Bus(Wakeups wakeups, MeterRegistry metrics) {
        this.wakeups = wakeups;
        this.meters = new BusMeters(metrics, this);
    }

    /** Joins the other nodes. The carrier of the hints need not be reachable yet; the bus tries until it is. */
    public static Bus start(Wakeups wakeups, MeterRegistry metrics) {
        Bus bus = new Bus(wakeups, metrics);
        wakeups.join(bus::receive);
        bus.worker.start();
        return bus;
    }

    /** Sets the receiver of other nodes' hints. It must return quickly. */
    public void listen(Consumer<List<Hint>> next) {
        listener = next;
    }

    /** Sends hints to the other nodes, if there are any. Never waits and never fails. */
    public void send(Collection<Hint> hints) {
        if (!peers.none() && !hints.isEmpty()) {
            int refused = outbox.add(hints);
            if (refused > 0) {
                meters.dropped(refused);
            }
        }
    }

    /** True if hints do not arrive, or arrive later than a poll would find the news. */
    public boolean isLate() {
        return pulse.isLate();
    }

    /** The delay of a message, measured about once a second. */
    public Optional<Duration> lag() {
        return pulse.lag();
    }

    /** The number of other nodes heard from lately. */
    public int peers() {
        return peers.count();
    }

    /** The number of threads with unsent hints. */
    int waiting() {
        return outbox.size();
    }

    private void receive(String text) {
        Wire.read(text).ifPresent(envelope -> {
            if (envelope.node().equals(node)) {
                pulse.answered(envelope.pulse()).ifPresent(meters::cameBack);
                return;
            }
            if (peers.note(envelope.node())) {
                // The new node sends no hints until it hears from this node, so the next beat should be sent soon.
                pulse.beatSoon();
                outbox.nudge();
            }
            if (!envelope.hints().isEmpty()) {
                meters.received(envelope.hints().size());
                notifyListener(envelope.hints());
            }
        });
    }

    private void notifyListener(List<Hint> hints) {
        try {
            listener.accept(hints);
        } catch (RuntimeException failed) {
            LOG.debug("Could not pass on hints; their readers find the news by polling: {}", failed.toString());
        }
    }

    private void work() {
        try {
            while (!closing) {
                List<Hint> hints = outbox.take(pulse.untilNext());
                boolean due = pulse.untilNext().isZero();
                if (due || !hints.isEmpty()) {
                    carry(hints, due ? pulse.beat() : 0);
                    checkHealth();
                    Thread.sleep(wakeups.pace());
                }
            }
            carry(outbox.take(Duration.ZERO), 0);
        } catch (InterruptedException stopped) {
            LOG.debug("The last hints of a stopping node were not sent; other nodes find the news by polling");
        }
    }

    private void carry(List<Hint> hints, long beat) throws InterruptedException {
        List<Wakeups.Message> messages = Wire.write(node, beat, hints, wakeups.subjects());
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

    /** Logs once that the bus is late, and once that it is back; resets connections that seem to be dead. */
    private void checkHealth() {
        peers.forgetSilent();
        boolean late = isLate();
        if (late && !reportedLate) {
            LOG.warn(
                    "Hints of other nodes are late ({}); until they are back, nodes find each other's news by polling.",
                    lastFailure == null ? "nothing comes back" : reason(lastFailure));
        } else if (!late && reportedLate) {
            LOG.info("Hints of other nodes arrive again.");
            lastFailure = null;
        }
        reportedLate = late;
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

    /** Sends the unsent hints if that is quickly done, and leaves. */
    @Override
    public void close() {
        closing = true;
        outbox.nudge();
        try {
            if (worker.isAlive() && !worker.join(CLOSE_TIMEOUT)) {
                worker.interrupt();
                worker.join(CLOSE_TIMEOUT);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        wakeups.close();
    }
}
