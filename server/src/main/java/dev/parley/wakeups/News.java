package dev.parley.wakeups;

/** The kind of news in a thread, so that nodes do only the necessary work. The order is part of the wire format. */
public enum News {
    /** An event that inboxes show: any event except a run's own events. */
    SAID,
    /** A run has begun, ended or changed its holder. A node that executes a run in the thread may have lost it. */
    RUNS,
    /** A run waits, and the sender of the hint has no free worker for it. */
    WAITING_RUN,
    /** A delivery may be due, and the sender of the hint has no free worker for it. */
    WAITING_DELIVERY;

    int bit() {
        return 1 << ordinal();
    }
}
