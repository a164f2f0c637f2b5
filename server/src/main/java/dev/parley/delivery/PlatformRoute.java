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
 * Delivers replies to chat platforms. Each part is marked as sending, then sent, and only then marked as sent. If a
 * part is found as sending, a node failed after the handover and before the answer. Therefore the platform is asked for
 * the part before another send. If the platform cannot tell, the part becomes uncertain and the next part follows.
 */
final class PlatformRoute implements DeliveryRoute {
    private static final Logger LOG = LoggerFactory.getLogger(PlatformRoute.class);
    /** Time between the first lookups of a part. */
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(2);
    /** Number of lookups at that interval; later lookups back off. */
    private static final int FREQUENT_LOOKS = 6;

    private final Parcels parcels;
    private final Map<String, ChatTransport> transports;
    private final Duration patience;
    private final Duration turn;
    private final Consumer<DeliveryState> ended;
    private final Clock clock;

    /**
     * @param patience the time in which a failed part is retried
     * @param turn the time after which a destination gives its slot to other destinations
     * @param ended receives the final state of each part
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

    /** The follow-up of one step at a destination: the next step, or a pause. */
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
            // A success in this turn resets the failures of earlier turns.
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

    /**
     * Takes a step. After an exception from the adapter, the part is retried with backoff and finally given up, like
     * any other part.
     */
    private Next guarded(Lease lease, OpenParcel open) throws InterruptedException {
        try {
            return step(lease, open);
        } catch (ProblemException unavailable) {
            throw unavailable;
        } catch (RuntimeException broken) {
            LOG.error(
                    "Delivery to {}: adapter failed at part {}; backing off",
                    open.parcel().target().source(),
                    open.id(),
                    broken);
            int failures = open.failures() + 1;
            if (isTooOld(open)) {
                return uncertain(lease, open, "The server's adapter failed at the part.");
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

    /** The part to hand over; empty if the lease is lost, or this node paused too long to be sure of the lease. */
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
            case ChatTransport.SendResult.NotNow(String reason, Duration after) -> later(lease, open, reason, after);
            case ChatTransport.SendResult.Refused(String reason) -> giveUp(lease, open, reason);
            case ChatTransport.SendResult.Unknown(String reason) -> {
                parcels.markUnknown(lease, open, reason);
                LOG.info(
                        "Delivery to {}: outcome of part {} unknown, looking it up: {}",
                        open.parcel().target().source(),
                        open.id(),
                        reason);
                yield Next.GO_ON;
            }
        };
    }

    /** Sends a revision. An interrupted revision is simply repeated, because a repetition changes nothing. */
    private Next revise(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        String revised = open.revisedExternalId();
        if (revised == null) {
            return giveUp(lease, open, "The part to revise did not arrive.");
        }
        Optional<Parcel> begun = begin(lease, open);
        if (begun.isEmpty()) {
            return Next.pause(Duration.ZERO, open.failures());
        }
        return switch (transport.revise(begun.get(), revised)) {
            case ChatTransport.SendResult.Delivered(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.SendResult.NotNow(String reason, Duration after) -> later(lease, open, reason, after);
            case ChatTransport.SendResult.Refused(String reason) -> giveUp(lease, open, reason);
            case ChatTransport.SendResult.Unknown(String reason) -> later(lease, open, reason, null);
        };
    }

    private Next find(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        return switch (transport.lookUp(open.parcel())) {
            case ChatTransport.Lookup.There(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.Lookup.Absent() -> {
                parcels.requeue(lease, open, "The part did not arrive.");
                yield isTooOld(open) ? giveUp(lease, open, "The part did not arrive in time.") : Next.GO_ON;
            }
            case ChatTransport.Lookup.SendAgain() -> sendAgain(lease, open, transport);
            case ChatTransport.Lookup.NotYet(String reason) -> unseen(lease, open, reason, null);
            case ChatTransport.Lookup.Unknowable(String reason) -> uncertain(lease, open, reason);
        };
    }

    /**
     * Sends a part with an unknown outcome again. Only an acceptance settles the outcome, because an earlier attempt
     * may have succeeded.
     */
    private Next sendAgain(Lease lease, OpenParcel open, ChatTransport transport) throws InterruptedException {
        Optional<Parcel> begun = begin(lease, open);
        if (begun.isEmpty()) {
            return Next.pause(Duration.ZERO, open.failures());
        }
        return switch (transport.send(begun.get())) {
            case ChatTransport.SendResult.Delivered(String externalId) -> arrived(lease, open, externalId);
            case ChatTransport.SendResult.NotNow(String reason, Duration after) -> unseen(lease, open, reason, after);
            case ChatTransport.SendResult.Refused(String reason) -> uncertain(lease, open, reason);
            case ChatTransport.SendResult.Unknown(String reason) -> {
                parcels.markUnknown(lease, open, reason);
                yield unseen(lease, open, reason, null);
            }
        };
    }

    private Next arrived(Lease lease, OpenParcel open, String externalId) {
        parcels.sent(lease, open, externalId);
        ended.accept(DeliveryState.SENT);
        return Next.GO_ON;
    }

    private Next unseen(Lease lease, OpenParcel open, String reason, @Nullable Duration after) {
        if (isTooOld(open)) {
            return uncertain(lease, open, reason);
        }
        parcels.markUnseen(lease, open, reason);
        int failures = open.failures() + 1;
        return Next.pause(
                failures <= FREQUENT_LOOKS && after == null ? LOOKUP_INTERVAL : DeliveryDelay.after(failures, after),
                failures);
    }

    private Next uncertain(Lease lease, OpenParcel open, String reason) {
        parcels.uncertain(lease, open, reason);
        ended.accept(DeliveryState.UNCERTAIN);
        LOG.warn(
                "Delivery to {}: outcome of part {} unknown, marked uncertain: {}",
                open.parcel().target().source(),
                open.id(),
                reason);
        return Next.GO_ON;
    }

    private Next later(Lease lease, OpenParcel open, String reason, @Nullable Duration after) {
        if (isTooOld(open)) {
            return giveUp(lease, open, reason);
        }
        parcels.requeue(lease, open, reason);
        int failures = open.failures() + 1;
        return Next.pause(DeliveryDelay.after(failures, after), failures);
    }

    private Next giveUp(Lease lease, OpenParcel open, String reason) {
        parcels.dead(lease, open, reason);
        ended.accept(DeliveryState.DEAD);
        LOG.warn(
                "Delivery to {}: part {} failed, marked dead: {}",
                open.parcel().target().source(),
                open.id(),
                reason);
        return Next.GO_ON;
    }

    private boolean isTooOld(OpenParcel open) {
        return open.queuedAt().plus(patience).isBefore(clock.instant());
    }
}
