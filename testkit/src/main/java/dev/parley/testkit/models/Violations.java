package dev.parley.testkit.models;

import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong with a request. */
final class Violations {
    private final List<String> found = new ArrayList<>();

    /** @param message where and what, with {@code %} for each argument in turn */
    void unless(boolean holds, String message, Object... arguments) {
        if (!holds) {
            String[] pieces = message.split("%", -1);
            StringBuilder told = new StringBuilder(pieces[0]);
            for (int i = 0; i < arguments.length; i++) {
                told.append(arguments[i]).append(pieces[i + 1]);
            }
            found.add(told.toString());
        }
    }

    List<String> list() {
        return List.copyOf(found);
    }
}
