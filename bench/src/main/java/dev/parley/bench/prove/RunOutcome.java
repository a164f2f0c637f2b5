package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The judgement of a crowd's runs.
 *
 * @param states the number of runs in each final state
 * @param views the number of streams that were compared with the log
 * @param violations broken promises other than lost runs, stuck runs and stuck viewers
 */
public record RunOutcome(
        Map<String, Long> states,
        long runs,
        long views,
        List<String> lost,
        List<String> stuck,
        List<String> violations) {
    List<String> all() {
        List<String> all = new ArrayList<>(lost);
        all.addAll(stuck);
        all.addAll(violations);
        return all;
    }
}
