package dev.parley.bench.prove.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Which faults come when, all by the seed: every kind once in a random order, then in another one, and so on; now and
 * then a second one of another family at the same time.
 */
final class FaultPlan {
    private static final int PAIRS = 4;

    private final List<FaultKind> kinds;
    private final Cluster cluster;
    private final SplittableRandom random;
    private final Deque<FaultKind> deck = new ArrayDeque<>();
    private final boolean pairs;

    /** @param pairs whether two may come at once */
    FaultPlan(List<FaultKind> kinds, Cluster cluster, boolean pairs, SplittableRandom random) {
        this.kinds = List.copyOf(kinds);
        this.cluster = cluster;
        this.pairs = pairs;
        this.random = random;
    }

    /** The faults of the next round, in the order in which they are mended. */
    List<Fault> next() {
        if (deck.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, new Random(random.nextLong()));
            deck.addAll(shuffled);
        }
        List<Fault> faults = new ArrayList<>();
        faults.add(deck.pop().make(cluster, random));
        if (pairs && random.nextInt(PAIRS) == 0) {
            Fault second = kinds.get(random.nextInt(kinds.size())).make(cluster, random);
            if (second.family() != faults.getFirst().family()) {
                faults.add(second);
            }
        }
        faults.sort(Comparator.comparing(Fault::family));
        return List.copyOf(faults);
    }
}
