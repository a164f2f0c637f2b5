package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Figures;
import java.util.List;
import java.util.Map;

/**
 * The result of one round: a crowd at work, a fault or two, and the judgement.
 *
 * @param row the kind of the round's fault, or {@link Round#TWO}
 * @param faults the faults with their particulars
 * @param broken the time at which the faults began
 * @param mended the time at which the faults had ended
 * @param seconds the length of the round
 * @param operations the number of attempts to write, plus the number of runs
 * @param states the number of runs in each final state
 * @param other the number of violations other than lost, duplicated, reordered and stuck
 * @param silences the seconds without an acknowledgement, for each silence of more than a second
 * @param answers refusals and missing answers, counted by name
 * @param violations broken promises in words
 */
record RoundFinding(
        int round,
        String row,
        List<String> faults,
        long seed,
        String began,
        String broken,
        String mended,
        double seconds,
        long operations,
        long acknowledged,
        Map<String, Long> states,
        long lost,
        long duplicated,
        long reordered,
        long stuck,
        long other,
        List<Double> silences,
        Map<String, Long> answers,
        List<String> violations) {
    boolean holds() {
        return lost + duplicated + reordered + stuck + other == 0 && violations.isEmpty();
    }

    double unavailable() {
        return Figures.sum(silences);
    }

    double longestSilence() {
        return Figures.max(silences);
    }
}
