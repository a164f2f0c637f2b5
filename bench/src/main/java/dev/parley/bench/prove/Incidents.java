package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the crowd met beside its notes: answers that say no, counted by name, and those that should never come. */
final class Incidents {
    private static final int KEPT = 100;

    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> unexpected = new ArrayList<>();

    synchronized void met(String name) {
        answers.merge(name, 1L, Long::sum);
    }

    synchronized void unexpected(String what) {
        if (unexpected.size() < KEPT) {
            unexpected.add(what);
        }
    }

    synchronized Map<String, Long> answers() {
        return new TreeMap<>(answers);
    }

    synchronized List<String> unexpected() {
        return List.copyOf(unexpected);
    }
}
