package dev.parley.delivery;

import dev.parley.log.Event;
import java.util.List;

/** One of the ways on which things leave: what is due on it, and how it is done. */
interface DeliveryRoute {
    Leases leases();

    /** Takes what is due and free. */
    List<Lease> take(int most);

    /** Gives a lease back at once, in the middle of something. */
    void release(Lease lease);

    /** Told of commits: what may have become due by them. */
    default void committed(List<Event> events) {}

    /** Does what is due there, until nothing is or it has to wait, and gives the lease back. */
    void serve(Lease lease) throws InterruptedException;
}
