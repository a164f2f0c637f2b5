package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What became of a crowd's runs.
 *
 * @param states how many ended how
 * @param views streams that were compared with the log
 * @param violations what is wrong beside runs that are lost, and runs and viewers that are stuck
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
