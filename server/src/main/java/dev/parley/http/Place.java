package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One request's place among those in flight: it works, waits for a time, and leaves once, from whatever thread. A slow
 * client, too, is only waited for, so that many of them keep no work out.
 */
final class Place {
    private enum State {
        WORKS,
        WAITS,
        LEFT
    }

    private final InFlight inFlight;
    private final AtomicReference<State> state = new AtomicReference<>(State.WORKS);

    /** Of a request that has entered. */
    Place(InFlight inFlight) {
        this.inFlight = inFlight;
    }

    /**
     * From now on the request only waits, for the client or for something to happen.
     *
     * @param refusal what is said if too many wait already
     * @return false if it was waiting already
     */
    boolean beginToWait(String refusal) {
        if (state.get() != State.WORKS) {
            return false;
        }
        if (!inFlight.tryWait()) {
            throw new ProblemException(Problem.OVERLOADED, refusal);
        }
        if (!state.compareAndSet(State.WORKS, State.WAITS)) {
            inFlight.goOn();
            return false;
        }
        return true;
    }

    /** The request works again, if it waited. */
    void goOn() {
        if (state.compareAndSet(State.WAITS, State.WORKS)) {
            inFlight.goOn();
        }
    }

    void leave() {
        State last = state.getAndSet(State.LEFT);
        if (last != State.LEFT) {
            inFlight.leave();
        }
        if (last == State.WAITS) {
            // Only now: a moment as one that works would keep another out.
            inFlight.goOn();
        }
    }
}
