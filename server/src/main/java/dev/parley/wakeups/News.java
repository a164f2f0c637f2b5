package dev.parley.wakeups;

/** What kind of thing happened in a thread, so that nodes do only what is needed. Their order is part of the wire. */
public enum News {
    /** Something other than a run's own events: inboxes show it. */
    SAID,
    /** A run has begun, ended or changed hands: whoever executes one there may have lost it. */
    RUNS,
    /** A run waits, and the node that tells of it has no place for it. */
    WAITING_RUN,
    /** Something may be due to be delivered, and the node that tells of it has no place for it. */
    WAITING_DELIVERY;

    int bit() {
        return 1 << ordinal();
    }
}
