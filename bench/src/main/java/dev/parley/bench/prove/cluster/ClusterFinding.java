package dev.parley.bench.prove.cluster;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of the whole proof.
 *
 * @param wanted the requested kinds of faults
 * @param possible the requested kinds that this machine can inject
 * @param stuck the rounds that could not begin, in words
 * @param changed the threads that have changed since the end of their round, in words
 * @param chains the result of the final check in the database itself
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
