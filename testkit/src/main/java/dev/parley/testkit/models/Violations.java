package dev.parley.testkit.models;

import java.util.ArrayList;
import java.util.List;

/** Collects the faults of a request. */
final class Violations {
    private final List<String> violations = new ArrayList<>();

    /** @param message the location and the fault; each {@code %} stands for the next argument */
    void unless(boolean holds, String message, Object... arguments) {
        if (!holds) {
            String[] pieces = message.split("%", -1);
            StringBuilder told = new StringBuilder(pieces[0]);
            for (int i = 0; i < arguments.length; i++) {
                told.append(arguments[i]).append(pieces[i + 1]);
            }
            violations.add(told.toString());
        }
    }

    List<String> list() {
        return List.copyOf(violations);
    }
}
