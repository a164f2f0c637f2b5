package dev.parley.bench.prove;

import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of one step of the proof of the log.
 *
 * @param cycles the number of simulated histories or of kills
 */
record LogFinding(
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
        List<String> violations)
        implements StepFinding {
    private static final int KEPT = 200;

    /** The finding of a step without a crowd, which has no lost, duplicated or reordered messages to count. */
    static LogFinding of(
            String step,
            long seed,
            long cycles,
            long operations,
            long acknowledged,
            Map<String, Long> answers,
            List<String> violations) {
        return new LogFinding(
                step, seed, cycles, operations, acknowledged, 0, 0, 0, List.of(), answers, List.copyOf(violations));
    }

    /** The finding of a step with a crowd. */
    static LogFinding of(
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
        return new LogFinding(
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

    @Override
    public String counts() {
        return operations + " operations, " + acknowledged + " acknowledged";
    }
}
