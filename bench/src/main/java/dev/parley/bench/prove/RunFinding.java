package dev.parley.bench.prove;

import java.util.List;
import java.util.Map;

/**
 * The result of one step of the proof of runs.
 *
 * @param cycles the number of kills, of cancels, or of servers that were stopped and woken
 * @param acknowledged the number of runs whose start was acknowledged
 * @param states the number of runs in each final state
 * @param views the number of streams that were compared with the log; each is joined from the stretches of one viewer
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
        List<String> violations)
        implements StepFinding {
    /** The number of runs that ended in a state, for any reason. */
    long ended(String state) {
        return states.entrySet().stream()
                .filter(each -> each.getKey().startsWith(state))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Override
    public String counts() {
        return acknowledged + " runs, " + states;
    }
}
