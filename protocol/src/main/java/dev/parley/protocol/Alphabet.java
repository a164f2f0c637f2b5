package dev.parley.protocol;

import java.util.BitSet;

/**
 * A set of ASCII characters, with methods that check and change texts. For callers' input, these methods are used in
 * place of simple regular expressions, because their cost grows only with the text's length.
 */
public final class Alphabet {
    public static final Alphabet DIGITS = of("0-9");
    public static final Alphabet HEX = of("0-9a-fA-F");
    public static final Alphabet LOWER_HEX = of("0-9a-f");
    public static final Alphabet SLASHES = of("/");
    public static final Alphabet LOWER_CASE = of("a-z");
    /** The characters that {@code \s} matches in a regular expression. */
    public static final Alphabet SPACES = of(" \t\n\u000b\f\r");

    private final BitSet characters = new BitSet(128);

    private Alphabet(String ranges) {
        int i = 0;
        while (i < ranges.length()) {
            boolean range = i + 2 < ranges.length() && ranges.charAt(i + 1) == '-';
            char last = ranges.charAt(range ? i + 2 : i);
            characters.set(ranges.charAt(i), last + 1);
            i += range ? 3 : 1;
        }
    }

    /** @param ranges such as {@code a-zA-Z0-9_-}; a hyphen at the end, or after a range, is a plain character */
    public static Alphabet of(String ranges) {
        return new Alphabet(ranges);
    }

    public boolean has(char character) {
        return characters.get(character);
    }

    /** True if the text has only characters of this set; true for an empty text. */
    public boolean spells(String text) {
        return end(text, 0) == text.length();
    }

    /** True if the text has only characters of this set, and a length between {@code least} and {@code most}. */
    public boolean spells(String text, int least, int most) {
        return text.length() >= least && text.length() <= most && spells(text);
    }

    /** True if the first character of the text is in this set. */
    public boolean begins(String text) {
        return !text.isEmpty() && has(text.charAt(0));
    }

    /**
     * The index of the first character from {@code from} on that is not in this set; the text's length if there is
     * none.
     */
    public int end(String text, int from) {
        int at = from;
        while (at < text.length() && has(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The text without the characters of this set at its start. */
    public String strippedFrom(String text) {
        return text.substring(end(text, 0));
    }

    /** The text without the characters of this set at its end. */
    public String strippedFromEnd(String text) {
        int end = text.length();
        while (end > 0 && has(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    /** The text without any characters of this set. */
    public String removedFrom(String text) {
        StringBuilder rest = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (!has(text.charAt(i))) {
                rest.append(text.charAt(i));
            }
        }
        return rest.length() == text.length() ? text : rest.toString();
    }

    /** The text without the characters outside of this set. */
    public String keptOf(String text) {
        StringBuilder rest = new StringBuilder(text.length());
        text.chars().filter(characters::get).forEach(each -> rest.append((char) each));
        return rest.toString();
    }

    /** Replaces each unbroken sequence of characters of this set by a single {@code by}. */
    public String oneOfEach(String text, char by) {
        StringBuilder rest = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int end = end(text, i);
            rest.append(end > i ? by : text.charAt(i));
            i = Math.max(end, i + 1);
        }
        return rest.toString();
    }

    /** Replaces each code point outside of this set by {@code by}. */
    public String replaceOthers(String text, char by) {
        StringBuilder replaced = new StringBuilder(text.length());
        text.codePoints().forEach(point -> replaced.append(characters.get(point) ? (char) point : by));
        return replaced.toString();
    }
}
