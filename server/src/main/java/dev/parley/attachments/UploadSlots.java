package dev.parley.attachments;

import dev.parley.limits.FairShares;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;

/**
 * Limits concurrent uploads, which take disk space and may arrive slowly: a node has a number of slots that actors
 * share, and each actor has a limit of its own.
 */
final class UploadSlots {
    private final int maxOfOne;
    private final FairShares<Actor> slots;

    UploadSlots(int most, int maxOfOne) {
        this.maxOfOne = maxOfOne;
        this.slots = new FairShares<>(most);
    }

    synchronized void take(Actor actor) {
        int own = slots.held(actor);
        if (own >= maxOfOne) {
            throw new ProblemException(
                    Problem.RATE_LIMITED, "The caller has " + own + " uploads under way; wait until one is done.");
        }
        if (!slots.tryTake(actor)) {
            throw new ProblemException(
                    Problem.OVERLOADED,
                    "Too many uploads are arriving, or the caller has its share already; try again soon.");
        }
    }

    void giveBack(Actor actor) {
        slots.giveBack(actor);
    }
}
