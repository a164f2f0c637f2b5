package dev.parley.bench.prove.cluster;

import dev.parley.testkit.FaultProxy;
import java.time.Duration;

/**
 * One thing that is broken for a while and then mended.
 *
 * @param kind what is reported together
 * @param what the same with its particulars, such as the node that is hit
 * @param family faults of one family are not on at the same time
 */
record Fault(FaultKind kind, String what, Family family, Step begin, Duration hold, Step end) {
    /** What is broken. */
    enum Family {
        DATABASE,
        REDIS,
        NETWORK,
        /** Mended last: a node that starts needs its database. */
        NODE
    }

    /** Half of a fault. */
    interface Step {
        void run() throws Exception;
    }

    /** Swallows the packets of a network, or cuts and refuses its connections. */
    static void block(FaultProxy network, boolean swallow) {
        if (swallow) {
            network.pause();
        } else {
            network.refuse(true);
            network.cutAll();
        }
    }

    static void unblock(FaultProxy network) {
        network.refuse(false);
        network.resume();
    }

    @Override
    public String toString() {
        return kind.word() + " (" + what + ", " + hold.toMillis() / 1000.0 + " s)";
    }
}
