package dev.parley.delivery;

import dev.parley.limits.FairShares;
import dev.parley.protocol.ThreadId;
import java.util.Collection;

/** One of the ways on which things leave: what is due on it, and how it is done. */
interface DeliveryRoute {
    Leases leases();

    /** Takes leases of what is due, as far as there are slots for them. */
    Leases.LeaseResult take(FairShares<String> slots);

    /** Gives a lease back at once, in the middle of something. */
    void release(Lease lease);

    /** Something may have become due by what happened in these threads. */
    default void hinted(Collection<ThreadId> threads) {}

    /** Does what is due there, until nothing is, it has to wait, or its turn is over, and gives the lease back. */
    void serve(Lease lease) throws InterruptedException;
}
