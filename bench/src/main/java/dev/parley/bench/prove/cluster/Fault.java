package dev.parley.bench.prove.cluster;

import dev.parley.testkit.FaultProxy;
import java.time.Duration;

/**
 * One fault that begins, lasts for a while and ends.
 *
 * @param kind the kind of the fault, which names its row in the report
 * @param particulars the particulars of the fault, such as the affected node
 * @param family the family of the fault; two faults of one family never overlap
 */
record Fault(FaultKind kind, String particulars, Family family, Step begin, Duration hold, Step end) {
    /** The affected part of the cluster. */
    enum Family {
        DATABASE,
        REDIS,
        NETWORK,
        /** Faults of this family end last, because a node needs its database to start. */
        NODE
    }

    /** The beginning or the end of a fault. */
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
        return kind.word() + " (" + particulars + ", " + hold.toMillis() / 1000.0 + " s)";
    }
}
