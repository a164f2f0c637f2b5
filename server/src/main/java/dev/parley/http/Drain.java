package dev.parley.http;

/** Counts the dropped bytes of a body that nobody wants, and closes the connection when they are too many. */
final class Drain {
    private final ConnectionGuard guard;
    private long left;

    Drain(ConnectionGuard guard) {
        this.guard = guard;
    }

    void begin(long atMost) {
        left = atMost;
    }

    void take(int length) {
        left -= length;
        if (left < 0) {
            guard.close();
        }
    }
}
