package dev.parley.attachments;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.HashMap;
import java.util.Map;

/** Uploads lie on the disk while they arrive, and may arrive slowly: so many do at once, and so many of one actor. */
final class UploadPlaces {
    private final int most;
    private final int mostOfOne;
    private final Map<Actor, Integer> taken = new HashMap<>();
    private int all;

    UploadPlaces(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    synchronized void take(Actor actor) {
        if (all >= most) {
            throw new ProblemException(Problem.OVERLOADED, "Too many uploads are arriving; try again soon.");
        }
        int own = taken.getOrDefault(actor, 0);
        if (own >= mostOfOne) {
            throw new ProblemException(
                    Problem.RATE_LIMITED, "You have " + own + " uploads under way; wait until one is done.");
        }
        taken.put(actor, own + 1);
        all++;
    }

    synchronized void giveBack(Actor actor) {
        all--;
        taken.computeIfPresent(actor, (who, own) -> own == 1 ? null : own - 1);
    }
}
