package dev.parley.testkit.history;

import java.util.List;

/**
 * The judgement of a history.
 *
 * @param operations the number of attempts to write, with any outcome
 * @param unknownWritten the number of writes without an answer that are in the log
 * @param unknownAbsent the number of writes without an answer that are not in the log
 * @param seen the number of entries received by all readers together
 */
public record Verdict(
        long operations,
        long acknowledged,
        long refused,
        long unknownWritten,
        long unknownAbsent,
        long entries,
        long seen,
        List<Violation> violations) {
    private static final int SHOWN = 25;

    public Verdict {
        violations = List.copyOf(violations);
    }

    public long count(Violation.Kind kind) {
        return violations.stream().filter(violation -> violation.kind() == kind).count();
    }

    public long lost() {
        return count(Violation.Kind.LOST);
    }

    public long duplicated() {
        return count(Violation.Kind.DUPLICATED);
    }

    public long reordered() {
        return count(Violation.Kind.REORDERED);
    }

    public long gaps() {
        return count(Violation.Kind.GAP);
    }

    public boolean clean() {
        return violations.isEmpty();
    }

    /** Fails with the first violations, if there are any. */
    void requireClean() {
        if (!clean()) {
            StringBuilder text = new StringBuilder(summary());
            violations.stream()
                    .limit(SHOWN)
                    .forEach(violation -> text.append("\n  ").append(violation));
            if (violations.size() > SHOWN) {
                text.append("\n  and ").append(violations.size() - SHOWN).append(" more");
            }
            throw new AssertionError(text.toString());
        }
    }

    /** A summary in one line. */
    public String summary() {
        return "%d operations, %d acknowledged, %d refused, %d unknown (%d written), %d entries, %d seen; %d lost, %d duplicated, %d reordered, %d gaps, %d other violations"
                .formatted(
                        operations,
                        acknowledged,
                        refused,
                        unknownWritten + unknownAbsent,
                        unknownWritten,
                        entries,
                        seen,
                        lost(),
                        duplicated(),
                        reordered(),
                        gaps(),
                        violations.size() - lost() - duplicated() - reordered() - gaps());
    }
}
