package dev.parley.attachments;

import dev.parley.limits.FairShares;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;

/**
 * Uploads lie on the disk while they arrive, and may arrive slowly: there are slots for so many at once, which actors share,
 * and one actor may have only so many in any case.
 */
final class UploadPlaces {
    private final int maxOfOne;
    private final FairShares<Actor> slots;

    UploadPlaces(int most, int maxOfOne) {
        this.maxOfOne = maxOfOne;
        this.slots = new FairShares<>(most);
    }

    synchronized void take(Actor actor) {
        int own = slots.held(actor);
        if (own >= maxOfOne) {
            throw new ProblemException(
                    Problem.RATE_LIMITED, "You have " + own + " uploads under way; wait until one is done.");
        }
        if (!slots.tryTake(actor)) {
            throw new ProblemException(
                    Problem.OVERLOADED,
                    "Too many uploads are arriving, or the caller has its share of them already; try again soon.");
        }
    }

    void giveBack(Actor actor) {
        slots.giveBack(actor);
    }
}
