package dev.parley.delivery;

import dev.parley.limits.FairShares;
import dev.parley.protocol.ThreadId;
import java.util.Collection;

/** One kind of deliveries: their leases, and the way to send them. */
interface DeliveryRoute {
    Leases leases();

    /** Takes leases of due destinations, within the free slots. */
    Leases.LeaseResult take(FairShares<String> slots);

    /** Releases a lease at once, although deliveries are still due. */
    void release(Lease lease);

    /** Notes that deliveries of these threads may be due; returns false if no delivery can be due. */
    default boolean hinted(Collection<ThreadId> threads) {
        return true;
    }

    /** Sends due deliveries until none is left, a wait is needed, or the turn ends; then releases the lease. */
    void serve(Lease lease) throws InterruptedException;
}
