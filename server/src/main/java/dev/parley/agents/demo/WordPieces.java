package dev.parley.agents.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts texts into the pieces in which they are streamed. Joined, the pieces are the text again; none of them ends inside
 * of what a reader sees as one character; and there are never more than {@value #MAX_PIECES}, however long the text is.
 */
final class WordPieces {
    static final int MAX_PIECES = 10_000;

    /** Chinese has no spaces, so that a few characters stand for a word. */
    private static final int IDEOGRAPHS = 4;

    private static final int MAX_WORD = 40;
    private static final Pattern GRAPHEME = Pattern.compile("\\X");

    private WordPieces() {}

    /** Each word with the space behind it. */
    static List<String> of(String text) {
        List<String> pieces = new ArrayList<>();
        int least = least(text);
        int from = 0;
        int count = 0;
        int last = -1;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find(); count++) {
            int at = grapheme.start();
            int first = text.codePointAt(at);
            if (last >= 0 && at - from >= least && endsWord(last, first, count)) {
                pieces.add(text.substring(from, at));
                from = at;
                count = 0;
            }
            last = first;
        }
        return withRest(pieces, text, from);
    }

    /** Pieces of so many characters, for what has no words. */
    static List<String> evenly(String text, int size) {
        List<String> pieces = new ArrayList<>();
        int least = least(text);
        int from = 0;
        int count = 0;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find(); count++) {
            int at = grapheme.start();
            if (count >= size && at - from >= least) {
                pieces.add(text.substring(from, at));
                from = at;
                count = 0;
            }
        }
        return withRest(pieces, text, from);
    }

    /** The text, or as many of its characters as fit. */
    static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = 0;
        for (Matcher grapheme = GRAPHEME.matcher(text); grapheme.find() && grapheme.end() <= most; ) {
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

    private static int least(String text) {
        return 1 + text.length() / MAX_PIECES;
    }

    private static List<String> withRest(List<String> pieces, String text, int from) {
        if (from < text.length()) {
            pieces.add(text.substring(from));
        }
        return pieces;
    }
}
