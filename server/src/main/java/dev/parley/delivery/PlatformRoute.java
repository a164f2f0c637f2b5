package dev.parley.delivery;

import dev.parley.limits.FairShares;
import dev.parley.protocol.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies on their way to chat platforms. Each part is marked as being sent, sent, and only then marked as sent; one that
 * is found marked as being sent was handed over by somebody who did not live to see the answer, so the platform is asked
 * for it before anything is sent again. Where it cannot say, the part is shown as uncertain and the next one goes.
 */
final class PlatformRoute implements DeliveryRoute {
    private static final Logger LOG = LoggerFactory.getLogger(PlatformRoute.class);
    /** When to ask again for a part that is not to be seen yet. */
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(2);
    /** So often at that pace; then ever more slowly. */
    private static final int FREQUENT_LOOKS = 6;

    private final Parcels parcels;
    private final Map<String, ChatTransport> transports;
    private final Duration patience;
    private final Duration turn;
    private final Consumer<DeliveryState> ended;
    private final Clock clock;

    /**
     * @param patience how long a part that does not arrive is tried again
     * @param turn how long a place is served before others get its slot
     * @param ended told how each part ended
     */
    PlatformRoute(
            Parcels parcels,
            Map<String, ChatTransport> transports,
            Duration patience,
            Duration turn,
            Consumer<DeliveryState> ended,
            Clock clock) {
        this.parcels = parcels;
        this.transports = Map.copyOf(transports);
        this.patience = patience;
        this.turn = turn;
        this.ended = ended;
        this.clock = clock;
    }

    @Override
    public Leases leases() {
        return parcels.leases();
    }

    @Override
    public Leases.LeaseResult take(FairShares<String> slots) {
        return transports.isEmpty() ? Leases.LeaseResult.NONE : parcels.take(transports.keySet(), slots);
    }

    @Override
    public void release(Lease lease) {
        parcels.release(lease, Duration.ZERO, 0);
    }

    /** What comes after one step at a place: the next step, or a pause. */
    private record Next(@Nullable Duration pause, int failures) {
        static final Next GO_ON = new Next(null, 0);

        static Next pause(Duration pause, int failures) {
            return new Next(pause, failures);
        }
    }

    @Override
    public void serve(Lease lease) throws InterruptedException {
        long end = System.nanoTime() + turn.toNanos();
        Next next = Next.GO_ON;
        boolean failing = true;
        while (next.pause() == null && lease.isSure()) {
            Optional<OpenParcel> open = parcels.next(lease);
            // What went well here ends a row of failures that began before.
            boolean before = failing;
            Optional<OpenParcel> counted = open.map(each -> before ? each : each.withoutFailures());
            next = counted.isPresent() ? guarded(lease, counted.get()) : Next.pause(Duration.ZERO, 0);
            failing = next.pause() != null;
            if (System.nanoTime() - end >= 0) {
                break;
            }
        }
        Duration pause = next.pause();
        parcels.release(lease, pause == null ? Duration.ZERO : pause, next.failures());
    }

    /** A part that an adapter chokes on is left alone for ever longer, and given up in time like any other. */
    private Next guarded(Lease lease, OpenParcel open) throws InterruptedException {
        try {
            return step(lease, open);
        } catch (ProblemException unavailable) {
            throw unavailable;
        } catch (RuntimeException broken) {
            LOG.error("An adapter failed at {}", open.parcel().target().source(), broken);
            int failures = open.failures() + 1;
            if (isTooOld(open)) {
                return uncertain(lease, open, "The server failed at it.");
            }
            return Next.pause(DeliveryDelay.after(failures, null), failures);
        }
    }

    private Next step(Lease lease, OpenParcel open) throws InterruptedException {
        ChatTransport transport = transports.get(open.parcel().target().source());
        if (transport == null) {
            return Next.pause(DeliveryDelay.after(open.failures() + 1, null), open.failures() + 1);
        }
        if (open.isRevision()) {
            return revise(lease, open, transport);
        }
        return open.state() == DeliveryState.SENDING ? find(lease, open, transport) : send(lease, open, transport);
    }

    /** Empty if somebody else has the place, or this node slept too long to know. */
    private Optional<Parcel> begin(Lease lease, OpenParcel open) {
        return parcels.begin(lease, open).filter(begun -> lease.isSure());
    }

    private Next send(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        Optional<Parcel> begun = begin(lease, open);
        if (begun.isEmpty()) {
            return Next.pause(Duration.ZERO, open.failures());
        }
        return switch (transport.send(begun.get())) {
            case ChatTransport.SendResult.Delivered(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.SendResult.NotNow(String why, Duration after) -> later(lease, open, why, after);
            case ChatTransport.SendResult.Refused(String why) -> giveUp(lease, open, why);
            case ChatTransport.SendResult.Unknown(String why) -> {
                parcels.doubt(lease, open, why);
                LOG.info(
                        "Nobody knows whether a part arrived at {}: {}",
                        open.parcel().target().source(),
                        why);
                yield Next.GO_ON;
            }
        };
    }

    /** What was begun and not finished is done again: it changes nothing twice. */
    private Next revise(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        String changed = open.changed();
        if (changed == null) {
            return giveUp(lease, open, "What it changes did not arrive.");
        }
        Optional<Parcel> begun = begin(lease, open);
        if (begun.isEmpty()) {
            return Next.pause(Duration.ZERO, open.failures());
        }
        return switch (transport.revise(begun.get(), changed)) {
            case ChatTransport.SendResult.Delivered(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.SendResult.NotNow(String why, Duration after) -> later(lease, open, why, after);
            case ChatTransport.SendResult.Refused(String why) -> giveUp(lease, open, why);
            case ChatTransport.SendResult.Unknown(String why) -> later(lease, open, why, null);
        };
    }

    private Next find(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        return switch (transport.lookUp(open.parcel())) {
            case ChatTransport.Lookup.There(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.Lookup.Absent() -> {
                parcels.again(lease, open, "It did not arrive.");
                yield isTooOld(open) ? giveUp(lease, open, "It did not arrive in time.") : Next.GO_ON;
            }
            case ChatTransport.Lookup.SendAgain() -> sendAgain(lease, open, transport);
            case ChatTransport.Lookup.NotYet(String why) -> unseen(lease, open, why, null);
            case ChatTransport.Lookup.Unknowable(String why) -> uncertain(lease, open, why);
        };
    }

    /** Only a part that is taken now is known: it may have been there before, whatever is said about this attempt. */
    private Next sendAgain(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        Optional<Parcel> begun = begin(lease, open);
        if (begun.isEmpty()) {
            return Next.pause(Duration.ZERO, open.failures());
        }
        return switch (transport.send(begun.get())) {
            case ChatTransport.SendResult.Delivered(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.SendResult.NotNow(String why, Duration after) -> unseen(lease, open, why, after);
            case ChatTransport.SendResult.Refused(String why) -> uncertain(lease, open, why);
            case ChatTransport.SendResult.Unknown(String why) -> {
                parcels.doubt(lease, open, why);
                yield unseen(lease, open, why, null);
            }
        };
    }

    private Next arrived(Lease lease, OpenParcel open, String externalId) {
        parcels.sent(lease, open, externalId);
        ended.accept(DeliveryState.SENT);
        return Next.GO_ON;
    }

    private Next unseen(Lease lease, OpenParcel open, String why, @Nullable Duration after) {
        if (isTooOld(open)) {
            return uncertain(lease, open, why);
        }
        parcels.unseen(lease, open, why);
        int failures = open.failures() + 1;
        return Next.pause(
                failures <= FREQUENT_LOOKS && after == null ? LOOKUP_INTERVAL : DeliveryDelay.after(failures, after),
                failures);
    }

    private Next uncertain(Lease lease, OpenParcel open, String why) {
        parcels.uncertain(lease, open, why);
        ended.accept(DeliveryState.UNCERTAIN);
        LOG.warn(
                "A part may or may not have arrived at {}: {}",
                open.parcel().target().source(),
                why);
        return Next.GO_ON;
    }

    private Next later(Lease lease, OpenParcel open, String why, @Nullable Duration after) {
        if (isTooOld(open)) {
            return giveUp(lease, open, why);
        }
        parcels.again(lease, open, why);
        int failures = open.failures() + 1;
        return Next.pause(DeliveryDelay.after(failures, after), failures);
    }

    private Next giveUp(Lease lease, OpenParcel open, String why) {
        parcels.dead(lease, open, why);
        ended.accept(DeliveryState.DEAD);
        LOG.warn("A part was not delivered to {}: {}", open.parcel().target().source(), why);
        return Next.GO_ON;
    }

    private boolean isTooOld(OpenParcel open) {
        return open.queuedAt().plus(patience).isBefore(clock.instant());
    }
}
