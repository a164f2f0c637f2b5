package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what agents said in a thread with what its platform shows. No two lines of a proof are alike, so a line tells
 * whether it is there, once, and in its order.
 */
final class DeliveryJudge {
    private DeliveryJudge() {}

    /**
     * @param said the texts of the agents' messages, in order
     * @param shown the texts of the posts, in order
     * @param doubtful whether parts of them are uncertain: then lines may be missing, and still none is there twice
     */
    static List<String> violations(String place, List<String> said, List<String> shown, boolean doubtful) {
        List<String> wanted = lines(said);
        List<String> found = lines(shown);
        List<String> violations = new ArrayList<>();
        Map<String, Integer> order = new HashMap<>();
        wanted.forEach(line -> order.putIfAbsent(line, order.size()));
        Set<String> seen = new HashSet<>();
        int last = -1;
        for (String line : found) {
            Integer turn = order.get(line);
            if (turn == null) {
                violations.add(place + " shows what nobody said: " + line);
            } else if (!seen.add(line)) {
                violations.add(place + " shows a line twice: " + line);
            } else if (turn < last) {
                violations.add(place + " shows a line too late: " + line);
            } else {
                last = turn;
            }
        }
        if (!doubtful) {
            wanted.stream()
                    .filter(line -> !seen.contains(line))
                    .forEach(line -> violations.add(place + " does not show: " + line));
        }
        return violations;
    }

    private static List<String> lines(List<String> texts) {
        return texts.stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
