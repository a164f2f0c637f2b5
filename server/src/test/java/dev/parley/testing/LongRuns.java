package dev.parley.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts on which careless parsers spend more than linear time: runs of characters that such parsers search for, alone
 * and between the parts of a valid value.
 */
public final class LongRuns {
    /** Units to repeat; an end that fits none of them makes a backtracking parser go back. */
    public static final List<String> UNITS = List.of(
            " ", "/", ";x", ",", "\"", "\\", "%", "[", "{\"a\":", "\" ", "a", "0", "<", "@", "-", ".", "\n", "a=b;");

    private static final String END = "!";

    private LongRuns() {}

    /** A run of a unit with about so many characters, and an end that does not fit. */
    public static String run(String unit, int length) {
        return unit.repeat(Math.max(1, (length - END.length()) / unit.length())) + END;
    }

    /** The same without a beginning: an opening quote that is never closed, and the quoted run. */
    public static String unclosed(String unit, int length) {
        return "\"" + run(unit, length - 1);
    }

    /**
     * A value of about so many characters in all, with runs of a unit between characters of different kinds: each run
     * alone, and all of them together.
     */
    public static List<String> within(String value, String unit, int length) {
        List<Integer> positions = new ArrayList<>();
        for (int i = 1; i < value.length(); i++) {
            if (kind(value.charAt(i)) != kind(value.charAt(i - 1)) || kind(value.charAt(i)) == 0) {
                positions.add(i);
            }
        }
        positions.add(value.length());
        List<String> all = new ArrayList<>();
        int room = length - value.length() - END.length();
        for (int position : positions) {
            all.add(value.substring(0, position) + unit.repeat(room / unit.length()) + value.substring(position) + END);
        }
        StringBuilder everywhere = new StringBuilder();
        int from = 0;
        for (int position : positions) {
            everywhere.append(value, from, position).append(unit.repeat(room / positions.size() / unit.length()));
            from = position;
        }
        all.add(everywhere.append(value.substring(from)).append(END).toString());
        return all;
    }

    private static int kind(char c) {
        return Character.isLetter(c) ? 1 : Character.isDigit(c) ? 2 : 0;
    }
}
