package dev.parley.bench.prove;

import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The troubles of a crowd beside its notes: answers that say no, counted by name, and those that should never come. */
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

    /** A member of the crowd waits for what should have come by now. */
    public synchronized void stuck(String what) {
        keep(stuck, what);
    }

    /** Makes a call; empty if it had no answer or was refused, which is unexpected if it would not help to try again. */
    <T> Optional<T> attempt(String call, Supplier<T> attempt) {
        try {
            return Optional.of(attempt.get());
        } catch (ParleyUnreachable nobody) {
            met("no answer");
        } catch (ParleyProblem problem) {
            refused(call, problem);
        }
        return Optional.empty();
    }

    /** A call was refused; returns whether it may be tried again. */
    boolean refused(String call, ParleyProblem problem) {
        met(problem.slug());
        if (!problem.retryable()) {
            unexpected(call + " was refused: " + problem.getMessage());
        }
        return problem.retryable();
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
