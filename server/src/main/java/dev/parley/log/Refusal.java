package dev.parley.log;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/**
 * The reason why a command was refused. The problem is a value, because the decision throws no exceptions.
 *
 * @param outdated true if the server itself may build the command anew and send it again
 */
public record Refusal(
        Problem problem, String detail, List<FieldError> errors, Map<String, Object> members, boolean outdated) {
    public Refusal(Problem problem, String detail, List<FieldError> errors, Map<String, Object> members) {
        this(problem, detail, errors, members, false);
    }

    /**
     * The facts from which a command was built have changed. The code that built it gets an {@link OutdatedCommand}.
     */
    public static Refusal outdated(String detail) {
        return new Refusal(Problem.OVERLOADED, detail, List.of(), Map.of(), true);
    }

    public static Refusal of(Problem problem, String detail) {
        return new Refusal(problem, detail, List.of(), Map.of());
    }

    public static Refusal ofField(String field, String message) {
        return new Refusal(
                Problem.INVALID_FIELDS, field + " " + message, List.of(new FieldError(field, message)), Map.of());
    }

    /** The same refusal for a thread that does not exist and for one that the caller may not see. */
    public static Refusal noSuchThread() {
        return of(Problem.THREAD_NOT_FOUND, "There is no such thread.");
    }

    public ProblemException toException() {
        return new ProblemException(problem, detail, errors, members);
    }
}
