package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * One request's slot among those in flight. The request works, may wait for a time, and leaves once, from any thread. A
 * request also counts as waiting while it waits for a slow client, so that many slow clients keep no work out.
 */
final class RequestSlot {
    private enum State {
        WORKS,
        WAITS,
        LEFT
    }

    private final InFlight inFlight;
    private State state = State.WORKS;
    /** Null until the caller is known, and for requests that are answered under any load. */
    private @Nullable Object caller;

    /** The slot of a request that has entered. */
    RequestSlot(InFlight inFlight) {
        this.inFlight = inFlight;
    }

    /** Takes the slot from its caller's share from now on. Refuses the request if the share is used up. */
    synchronized void takeShareOf(Object known) {
        if (state != State.WORKS) {
            return;
        }
        if (!inFlight.tryShare(known)) {
            throw new ProblemException(
                    Problem.OVERLOADED, "Too many of your requests are being worked on; wait for some of them.");
        }
        caller = known;
    }

    /**
     * Marks the request as only waiting, for the client or for an event.
     *
     * @param refusal the text of the refusal if too many requests wait already
     * @return false if the request was waiting already
     */
    synchronized boolean beginToWait(String refusal) {
        if (state != State.WORKS) {
            return false;
        }
        if (!inFlight.tryWait(caller)) {
            throw new ProblemException(Problem.OVERLOADED, refusal);
        }
        state = State.WAITS;
        return true;
    }

    /** Marks a waiting request as working again. */
    synchronized void goOn() {
        if (state == State.WAITS) {
            inFlight.goOn(caller);
            state = State.WORKS;
        }
    }

    synchronized void leave() {
        switch (state) {
            case WORKS -> inFlight.leave(caller);
            case WAITS -> inFlight.leaveWaiting(caller);
            case LEFT -> {}
        }
        state = State.LEFT;
    }
}
