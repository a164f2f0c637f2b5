package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * One request's place among those in flight: it works, waits for a time, and leaves once, from whatever thread. A slow
 * client, too, is only waited for, so that many of them keep no work out.
 */
final class RequestSlot {
    private enum State {
        WORKS,
        WAITS,
        LEFT
    }

    private final InFlight inFlight;
    private State state = State.WORKS;
    /** Null until the caller is known, and for what is answered whatever else is refused. */
    private @Nullable Object caller;

    /** Of a request that has entered. */
    RequestSlot(InFlight inFlight) {
        this.inFlight = inFlight;
    }

    /** From now on the request takes from its caller's share; refused if that is used up. */
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
     * From now on the request only waits, for the client or for something to happen.
     *
     * @param refusal what is said if too many wait already
     * @return false if it was waiting already
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

    /** The request works again, if it waited. */
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
