package dev.parley.protocol.agui;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON Pointer (<a href="https://www.rfc-editor.org/rfc/rfc6901">RFC 6901</a>): the names on the way from a
 * document's root to a value in it.
 */
record Pointer(List<String> names) {
    /** The most digits of a list index. A longer number is no index, because no list in memory is that long. */
    private static final int MAX_DIGITS = 9;

    Pointer {
        names = List.copyOf(names);
    }

    /**
     * True if the text is empty or begins with a slash, and each ~ is the start of ~0 (written for ~) or ~1 (written
     * for /).
     */
    static boolean isWellFormed(String text) {
        if (!text.isEmpty() && text.charAt(0) != '/') {
            return false;
        }
        for (int i = text.indexOf('~'); i >= 0; i = text.indexOf('~', i + 1)) {
            if (i + 1 == text.length() || text.charAt(i + 1) != '0' && text.charAt(i + 1) != '1') {
                return false;
            }
        }
        return true;
    }

    /** @param text a well-formed pointer */
    static Pointer parse(String text) {
        List<String> names = new ArrayList<>();
        for (int slash = 0; slash < text.length(); ) {
            int next = text.indexOf('/', slash + 1);
            int end = next < 0 ? text.length() : next;
            // The replacement of ~1 comes first, because ~01 is the name ~1 and not a slash.
            names.add(text.substring(slash + 1, end).replace("~1", "/").replace("~0", "~"));
            slash = end;
        }
        return new Pointer(names);
    }

    boolean isRoot() {
        return names.isEmpty();
    }

    int depth() {
        return names.size();
    }

    Pointer parent() {
        return new Pointer(names.subList(0, names.size() - 1));
    }

    String last() {
        return names.getLast();
    }

    boolean isAbove(Pointer other) {
        return depth() < other.depth() && other.names.subList(0, depth()).equals(names);
    }

    /** The list index that a name stands for; -1 if the name is no index, such as 01, +1 or -. */
    static int index(String name) {
        boolean digits =
                !name.isEmpty() && name.length() <= MAX_DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits && (name.length() == 1 || name.charAt(0) != '0') ? Integer.parseInt(name) : -1;
    }
}
