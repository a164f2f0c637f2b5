package dev.parley.bench.prove;

import java.util.List;
import java.util.Map;

/**
 * What one step of the proof of runs came to.
 *
 * @param cycles kills, cancels or servers that were stopped and woken
 * @param acknowledged runs whose start was acknowledged
 * @param states how many of them ended how
 * @param views streams that were compared with the log, joined from their stretches
 * @param answers how often somebody got something else than what was asked for
 * @param violations broken promises in words; none if the step holds
 */
record RunFinding(
        String step,
        long seed,
        long cycles,
        long acknowledged,
        Map<String, Long> states,
        long views,
        List<Double> unavailableSeconds,
        Map<String, Long> answers,
        List<String> violations) {
    boolean holds() {
        return violations.isEmpty();
    }

    /** Runs that ended in a state, whatever the reason. */
    long ended(String state) {
        return states.entrySet().stream()
                .filter(each -> each.getKey().startsWith(state))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
