package dev.parley.delivery;

import java.util.List;

/** One of the ways on which things leave: what is due on it, and how it is done. */
interface DeliveryRoute {
    Leases leases();

    /** Takes what is due and free. */
    List<Lease> take(int most);

    /** Does what is due there, until nothing is or it has to wait, and gives the lease back. */
    void serve(Lease lease) throws InterruptedException;
}
