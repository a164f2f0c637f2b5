package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares the agents' messages of a thread with the posts in its channel. No two lines of a proof are equal. Therefore
 * each line can be checked for absence, repeats and order.
 */
final class DeliveryJudge {
    private DeliveryJudge() {}

    /**
     * @param messages the texts of the agents' messages, in order
     * @param posts the texts of the posts, in order
     * @param doubtful true if the delivery of some parts is uncertain or dead; lines may then be missing, but no line
     *     may appear twice
     */
    static List<String> violations(String channel, List<String> messages, List<String> posts, boolean doubtful) {
        List<String> expected = lines(messages);
        List<String> posted = lines(posts);
        List<String> violations = new ArrayList<>();
        Map<String, Integer> order = new HashMap<>();
        expected.forEach(line -> order.putIfAbsent(line, order.size()));
        Set<String> seen = new HashSet<>();
        int last = -1;
        for (String line : posted) {
            Integer turn = order.get(line);
            if (turn == null) {
                violations.add(channel + " shows a line that no agent wrote: " + line);
            } else if (!seen.add(line)) {
                violations.add(channel + " shows a line twice: " + line);
            } else if (turn < last) {
                violations.add(channel + " shows a line too late: " + line);
            } else {
                last = turn;
            }
        }
        if (!doubtful) {
            expected.stream()
                    .filter(line -> !seen.contains(line))
                    .forEach(line -> violations.add(channel + " does not show: " + line));
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
