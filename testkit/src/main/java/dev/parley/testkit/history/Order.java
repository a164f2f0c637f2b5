package dev.parley.testkit.history;

import dev.parley.testkit.history.Violation.Kind;
import java.util.List;

/** The one rule of dense order: after n comes n + 1. */
final class Order {
    private Order() {}

    /** Adds what is wrong with {@code next} coming after {@code last}, if anything. */
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
