package dev.parley.bench.prove;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Figures;
import java.util.List;
import java.util.Map;

/** The result of one step of a proof. */
interface StepFinding {
    String step();

    long cycles();

    long acknowledged();

    /** Seconds in which the server accepted no request, for each kill. */
    List<Double> unavailableSeconds();

    /** Refusals and missing answers, counted by name. */
    Map<String, Long> answers();

    /** Broken promises in words; empty if the step holds. */
    List<String> violations();

    /** The step's own counts, in a few words. */
    String counts();

    default boolean holds() {
        return violations().isEmpty();
    }

    /** The last columns of a table of steps. */
    static <F extends StepFinding> Columns<F> addEnd(Columns<F> columns) {
        return columns.add("unavailable s", finding -> Figures.tenths(Figures.sum(finding.unavailableSeconds())))
                .add("at most s", finding -> Figures.tenths(Figures.max(finding.unavailableSeconds())))
                .add("violations", finding -> finding.violations().size());
    }
}
