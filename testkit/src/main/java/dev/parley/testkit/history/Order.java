package dev.parley.testkit.history;

import dev.parley.testkit.history.Violation.Kind;
import java.util.List;

/** The rule of dense order: n + 1 follows n. */
final class Order {
    private Order() {}

    /** Adds a violation unless {@code next} is the seq after {@code last}. */
    static void check(long last, long next, String where, List<Violation> violations) {
        if (next == last) {
            violations.add(new Violation(Kind.DUPLICATED, where + " has seq " + next + " again"));
        } else if (next < last) {
            violations.add(new Violation(Kind.REORDERED, where + " has seq " + next + " after " + last));
        } else if (next > last + 1) {
            violations.add(new Violation(Kind.GAP, where + " goes from seq " + last + " to " + next));
        }
    }
}
