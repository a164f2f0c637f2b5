package dev.parley.protocol;

import java.util.ArrayList;
import java.util.List;

/** Cuts texts at a character, in one pass. Empty pieces are kept, also at the end. */
public final class Split {
    private Split() {}

    public static List<String> at(char separator, String text) {
        return at(separator, text, Integer.MAX_VALUE);
    }

    /** @param most maximum number of pieces; the last piece is the whole rest */
    public static List<String> at(char separator, String text, int most) {
        List<String> pieces = new ArrayList<>();
        int start = 0;
        int end = most == 1 ? -1 : text.indexOf(separator);
        while (end >= 0) {
            pieces.add(text.substring(start, end));
            start = end + 1;
            end = pieces.size() == most - 1 ? -1 : text.indexOf(separator, start);
        }
        pieces.add(text.substring(start));
        return pieces;
    }
}
