package dev.parley.bench.prove.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The sequence of faults, which the seed determines. Every kind occurs once in a random order, then again in another
 * order. In between, some rounds have two faults of different families at the same time.
 */
final class FaultPlan {
    private static final int PAIRS = 4;

    private final List<FaultKind> kinds;
    private final FaultCluster cluster;
    private final SplittableRandom random;
    private final Deque<FaultKind> deck = new ArrayDeque<>();
    private final boolean pairs;
    private int alone;

    /** @param pairs true if a round may have two faults at the same time */
    FaultPlan(List<FaultKind> kinds, FaultCluster cluster, boolean pairs, SplittableRandom random) {
        this.kinds = List.copyOf(kinds);
        this.cluster = cluster;
        this.pairs = pairs;
        this.random = random;
    }

    /** True if every kind occurred alone at least once. */
    boolean everyKindHadItsTurn() {
        return alone >= kinds.size();
    }

    /** The faults of the next round, in the order of their ends. */
    List<Fault> next() {
        if (pairs && random.nextInt(PAIRS) == 0) {
            Fault first = anyFault();
            Fault second = anyFault();
            if (first.family() != second.family()) {
                return Stream.of(first, second)
                        .sorted(Comparator.comparing(Fault::family))
                        .toList();
            }
        }
        if (deck.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, new Random(random.nextLong()));
            deck.addAll(shuffled);
        }
        alone++;
        return List.of(deck.pop().make(cluster, random));
    }

    private Fault anyFault() {
        return kinds.get(random.nextInt(kinds.size())).make(cluster, random);
    }
}
