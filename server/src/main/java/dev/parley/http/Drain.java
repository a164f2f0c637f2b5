package dev.parley.http;

/** Counts the dropped bytes of an unwanted body, and closes the connection when there are too many. */
final class Drain {
    private final ConnectionGuard guard;
    private long remaining;

    Drain(ConnectionGuard guard) {
        this.guard = guard;
    }

    void begin(long atMost) {
        remaining = atMost;
    }

    void take(int length) {
        remaining -= length;
        if (remaining < 0) {
            guard.close();
        }
    }
}
