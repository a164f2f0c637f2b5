package dev.parley.agents.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a text into the pieces in which it is streamed. Joined, the pieces are the text again. No piece ends inside of a
 * grapheme, and there are never more than {@value #MAX_PIECES} pieces.
 */
final class WordPieces {
    static final int MAX_PIECES = 10_000;

    /** Number of ideographs that count as one word, because Chinese has no spaces. */
    private static final int IDEOGRAPHS = 4;

    private static final int MAX_WORD = 40;
    private static final Pattern GRAPHEME = Pattern.compile("\\X");

    private WordPieces() {}

    /** The words of a text, each with the space after it. */
    static List<String> of(String text) {
        List<String> pieces = new ArrayList<>();
        int minLength = minLength(text);
        int from = 0;
        int count = 0;
        int last = -1;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find(); count++) {
            int at = grapheme.start();
            int first = text.codePointAt(at);
            if (last >= 0 && at - from >= minLength && endsWord(last, first, count)) {
                pieces.add(text.substring(from, at));
                from = at;
                count = 0;
            }
            last = first;
        }
        return withRest(pieces, text, from);
    }

    /** Pieces of {@code size} characters, for texts without words. */
    static List<String> evenly(String text, int size) {
        List<String> pieces = new ArrayList<>();
        int minLength = minLength(text);
        int from = 0;
        int count = 0;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find(); count++) {
            int at = grapheme.start();
            if (count >= size && at - from >= minLength) {
                pieces.add(text.substring(from, at));
                from = at;
                count = 0;
            }
        }
        return withRest(pieces, text, from);
    }

    /** The text; if it is longer than {@code maxLength}, as many graphemes as fit, and an ellipsis. */
    static String shortened(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        int end = 0;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find() && grapheme.end() <= maxLength; ) {
            end = grapheme.end();
        }
        return text.substring(0, end) + "…";
    }

    private static boolean endsWord(int last, int next, int count) {
        if (Character.isWhitespace(next)) {
            return false;
        }
        return Character.isWhitespace(last)
                || count >= IDEOGRAPHS && Character.isIdeographic(last)
                || count >= MAX_WORD;
    }

    private static int minLength(String text) {
        return 1 + text.length() / MAX_PIECES;
    }

    private static List<String> withRest(List<String> pieces, String text, int from) {
        if (from < text.length()) {
            pieces.add(text.substring(from));
        }
        return pieces;
    }
}
