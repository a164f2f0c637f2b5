package dev.parley.bench.prove.cluster;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the whole proof came to.
 *
 * @param wanted the kinds of faults that were asked for
 * @param possible those of them that could be done here
 * @param stuck rounds that could not begin
 * @param changed threads that were no longer, at the very end, what they had been when their round ended
 * @param chains what the database itself shows
 */
record ClusterFinding(
        long seed,
        int nodes,
        List<FaultKind> wanted,
        List<FaultKind> possible,
        List<RoundFinding> rounds,
        List<String> stuck,
        List<String> changed,
        Chains.Checked chains) {
    boolean holds() {
        return violations().isEmpty();
    }

    /** All broken promises in words. */
    List<String> violations() {
        return Stream.of(
                        rounds.stream()
                                .flatMap(round -> round.violations().stream()
                                        .map(violation ->
                                                "round " + round.round() + " " + round.faults() + ": " + violation)),
                        stuck.stream(),
                        changed.stream(),
                        chains.violations().stream())
                .flatMap(each -> each)
                .toList();
    }
}
