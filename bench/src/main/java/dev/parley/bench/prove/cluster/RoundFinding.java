package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Figures;
import java.util.List;
import java.util.Map;

/**
 * What one round came to: a crowd at work, a fault or two, and the judgement.
 *
 * @param row the kind of its fault, or that there were two
 * @param faults what was broken, with its particulars
 * @param broken when the faults began
 * @param mended when they had ended
 * @param seconds how long all of it took
 * @param operations attempts to write, and runs
 * @param states how the runs ended
 * @param other what is broken beside lost, duplicated, reordered and stuck
 * @param silences seconds without an acknowledgement, each longer than one
 * @param answers how often somebody got something else than what was asked for
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
