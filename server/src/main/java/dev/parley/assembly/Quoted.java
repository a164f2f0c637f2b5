package dev.parley.assembly;

import java.util.regex.Pattern;

/** Neutralizes quoted text that could look like another author's turn; the rest stays unchanged. */
final class Quoted {
    private static final Pattern HEADER = Pattern.compile(
            "([\\n\\r\\x{85}\\x{2028}\\x{2029}]\\h*)(\\[[^\\]\\n]{1,300}\\]:|<<<quoted |end of quoted )");

    private Quoted() {}

    /** Removes control characters, and empty lines at both ends. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .filter(character -> character == '\n'
                        || character == '\t'
                        || !Character.isISOControl(character) && !isDirectional(character))
                .forEach(clean::appendCodePoint);
        int start = 0;
        for (int i = 0; i < clean.length() && Character.isWhitespace(clean.charAt(i)); i++) {
            start = clean.charAt(i) == '\n' ? i + 1 : start;
        }
        return clean.substring(start).stripTrailing();
    }

    /** Marks that reverse the direction of later text, beyond the end of the quotation. */
    private static boolean isDirectional(int character) {
        return character >= 0x202A && character <= 0x202E || character >= 0x2066 && character <= 0x2069;
    }

    /** Indents all lines but the first, so that one text cannot look like several messages. */
    static String indented(String text) {
        return text.replace("\n", "\n    ");
    }

    /** Escapes lines after the first that look like the beginning of another turn, or like a fence. */
    static String withoutHeaders(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : HEADER.matcher(text).replaceAll("$1\\\\$2");
    }

    /** The start of a text, and the number of missing characters. */
    static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + " … (" + (text.length() - end) + " more characters)";
    }
}
