package dev.parley.protocol;

import java.util.List;
import java.util.Map;

/** The only exception that features throw on purpose; the HTTP edge renders it. */
public final class ProblemException extends RuntimeException {
    private final Problem problem;
    private final String detail;
    private final List<FieldError> errors;
    private final Map<String, Object> members;

    public ProblemException(Problem problem, String detail) {
        this(problem, detail, List.of(), Map.of());
    }

    /** @param members further fields of the rendered body, such as the current seq in a conflict */
    public ProblemException(Problem problem, String detail, List<FieldError> errors, Map<String, Object> members) {
        // No stack trace: a problem is an answer, not a fault, and a refused request must stay cheap.
        super(problem.slug() + ": " + detail, null, false, false);
        this.problem = problem;
        this.detail = detail;
        this.errors = List.copyOf(errors);
        this.members = Map.copyOf(members);
    }

    public static ProblemException invalidField(String field, String message) {
        return invalidFields(List.of(new FieldError(field, message)));
    }

    public static ProblemException invalidFields(List<FieldError> errors) {
        FieldError first = errors.getFirst();
        return new ProblemException(Problem.INVALID_FIELDS, first.field() + " " + first.message(), errors, Map.of());
    }

    public Problem problem() {
        return problem;
    }

    public String detail() {
        return detail;
    }

    public List<FieldError> errors() {
        return errors;
    }

    public Map<String, Object> members() {
        return members;
    }
}
