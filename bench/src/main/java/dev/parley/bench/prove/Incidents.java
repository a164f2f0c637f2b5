package dev.parley.bench.prove;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the crowd met beside its notes: answers that say no, counted by name, and those that should never come. */
public final class Incidents {
    private static final int KEPT = 100;

    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> unexpected = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();

    public synchronized void met(String name) {
        answers.merge(name, 1L, Long::sum);
    }

    public synchronized void unexpected(String what) {
        keep(unexpected, what);
    }

    /** Somebody waits for what should have come by now. */
    public synchronized void stuck(String what) {
        keep(stuck, what);
    }

    private static void keep(List<String> list, String what) {
        if (list.size() < KEPT) {
            list.add(what);
        }
    }

    public synchronized Map<String, Long> answers() {
        return new TreeMap<>(answers);
    }

    public synchronized List<String> unexpected() {
        return List.copyOf(unexpected);
    }

    public synchronized List<String> stuck() {
        return List.copyOf(stuck);
    }
}
