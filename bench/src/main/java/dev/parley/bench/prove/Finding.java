package dev.parley.bench.prove;

import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one step of a proof came to.
 *
 * @param cycles simulated histories, or kills
 * @param answers how often writers and readers got something else than what they asked for
 * @param violations broken promises in words; none if the step holds
 */
record Finding(
        String step,
        long seed,
        long cycles,
        long operations,
        long acknowledged,
        long lost,
        long duplicated,
        long reordered,
        List<Double> unavailableSeconds,
        Map<String, Long> answers,
        List<String> violations) {
    private static final int KEPT = 200;

    /** The finding of a step that a crowd was part of. */
    static Finding of(
            String step,
            long seed,
            Verdict verdict,
            Incidents incidents,
            List<Double> unavailableSeconds,
            List<String> more) {
        List<String> violations = new ArrayList<>(more);
        violations.addAll(incidents.unexpected());
        violations.addAll(incidents.stuck());
        verdict.violations().stream().limit(KEPT).map(Violation::toString).forEach(violations::add);
        return new Finding(
                step,
                seed,
                unavailableSeconds.size(),
                verdict.operations(),
                verdict.acknowledged(),
                verdict.lost(),
                verdict.duplicated(),
                verdict.reordered() + verdict.gaps(),
                List.copyOf(unavailableSeconds),
                incidents.answers(),
                List.copyOf(violations));
    }

    boolean holds() {
        return violations.isEmpty();
    }

    double unavailableInAll() {
        return unavailableSeconds.stream().mapToDouble(Double::doubleValue).sum();
    }

    double unavailableAtMost() {
        return unavailableSeconds.stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }
}
