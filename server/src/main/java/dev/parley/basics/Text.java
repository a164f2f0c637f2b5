package dev.parley.basics;

import dev.parley.protocol.ProblemException;

/** Rules about text from callers and platforms. */
public final class Text {
    private Text() {}

    /** Refuses characters that PostgreSQL text cannot hold, instead of replacing them. */
    public static void requireStorable(String field, String text) {
        if (!isStorable(text)) {
            throw ProblemException.invalidField(
                    field, "contains a character that cannot be stored (U+0000 or half of a surrogate pair)");
        }
    }

    /**
     * Refuses an id that cannot be stored, or that has a control character, because URLs with control characters are
     * refused.
     */
    public static void requireId(String field, String id) {
        requireStorable(field, id);
        if (hasControl(id)) {
            throw ProblemException.invalidField(field, "must not hold a control character");
        }
    }

    public static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Replaces every character that cannot be stored by U+FFFD. */
    public static String mended(String text) {
        if (isStorable(text)) {
            return text;
        }
        StringBuilder mended = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point == 0 || point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                        ? 0xFFFD
                        : point)
                .forEach(mended::appendCodePoint);
        return mended.toString();
    }

    public static boolean isStorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** The longest beginning of a text that fits into a number of UTF-8 bytes, in whole code points. */
    public static String startWithin(String text, int bytes) {
        if (text.length() <= bytes / 3) {
            return text;
        }
        int size = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            size += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (size > bytes) {
                return text.substring(0, i);
            }
            i += Character.charCount(point);
        }
        return text;
    }

    public static void requireAtMost(String field, String text, int limit) {
        if (!isAtMost(text, limit)) {
            throw ProblemException.invalidField(field, "is longer than the limit of " + limit + " characters");
        }
    }

    /** Counts code points, so that an emoji is one character. */
    public static boolean isAtMost(String text, int limit) {
        return text.length() <= limit || text.codePointCount(0, text.length()) <= limit;
    }
}
