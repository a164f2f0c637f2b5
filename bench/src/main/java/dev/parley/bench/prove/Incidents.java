package dev.parley.bench.prove;

import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.ParleyUnreachable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The incidents that the notes of a crowd's members do not contain: the numbers of refusals and missing answers by
 * name, the answers that must never come, and the members that wait for an overdue event.
 */
public final class Incidents {
    private static final int KEPT = 100;

    private final Map<String, Long> answers = new TreeMap<>();
    private final List<String> unexpected = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();

    public synchronized void count(String name) {
        answers.merge(name, 1L, Long::sum);
    }

    public synchronized void unexpected(String description) {
        keep(unexpected, description);
    }

    /** Notes that a member of the crowd waits for an overdue event. */
    public synchronized void stuck(String description) {
        keep(stuck, description);
    }

    /**
     * Carries out a call. The result is empty if the call was refused or had no answer. A refusal that is not retryable
     * counts as unexpected.
     */
    <T> Optional<T> attempt(String call, Supplier<T> attempt) {
        try {
            return Optional.of(attempt.get());
        } catch (ParleyUnreachable unanswered) {
            count("no answer");
        } catch (ParleyProblem problem) {
            refused(call, problem);
        }
        return Optional.empty();
    }

    /** Notes the refusal of a call; true if the call may be tried again. */
    boolean refused(String call, ParleyProblem problem) {
        count(problem.slug());
        if (!problem.retryable()) {
            unexpected(call + " was refused: " + problem.getMessage());
        }
        return problem.retryable();
    }

    private static void keep(List<String> list, String description) {
        if (list.size() < KEPT) {
            list.add(description);
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
