package dev.parley.http;

/**
 * One request's place among those with a large body, if it has one: from before the body is read to its handler's reply.
 * Of the thread that works on the request.
 */
final class BodyPlace implements AutoCloseable {
    private final LargeBodies bodies;
    private final Object caller;
    private final Place place;
    private boolean taken;

    /** @param place the request's own, among those in flight */
    BodyPlace(LargeBodies bodies, Object caller, Place place) {
        this.bodies = bodies;
        this.caller = caller;
        this.place = place;
    }

    /** Waits for a place. From now on the request waits, in the end for its client. */
    void take() throws InterruptedException {
        place.beginToWait("Too many bodies are on their way, or other requests are waiting.");
        bodies.take(caller);
        taken = true;
    }

    /** The body is here. */
    void arrived() {
        if (taken) {
            place.goOn();
        }
    }

    @Override
    public void close() {
        if (taken) {
            taken = false;
            bodies.giveBack(caller);
        }
    }
}
