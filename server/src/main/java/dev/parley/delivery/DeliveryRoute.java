package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import java.util.Collection;
import java.util.List;

/** One of the ways on which things leave: what is due on it, and how it is done. */
interface DeliveryRoute {
    Leases leases();

    /** Takes what is due and free. */
    List<Lease> take(int most);

    /** Gives a lease back at once, in the middle of something. */
    void release(Lease lease);

    /** Something may have become due by what happened in these threads. */
    default void hinted(Collection<ThreadId> threads) {}

    /** Does what is due there, until nothing is or it has to wait, and gives the lease back. */
    void serve(Lease lease) throws InterruptedException;
}
