package dev.parley.assembly;

import java.util.regex.Pattern;

/** Text of others on its way to a model: as it is, but for what would make it look like somebody else's. */
final class Quoted {
    private static final Pattern HEADER = Pattern.compile(
            "([\\n\\r\\x{85}\\x{2028}\\x{2029}]\\h*)(\\[[^\\]\\n]{1,300}\\]:|<<<quoted |end of quoted )");

    private Quoted() {}

    /** Without control characters, and without empty lines around it. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .filter(character -> character == '\n'
                        || character == '\t'
                        || !Character.isISOControl(character) && !turns(character))
                .forEach(clean::appendCodePoint);
        int start = 0;
        for (int i = 0; i < clean.length() && Character.isWhitespace(clean.charAt(i)); i++) {
            start = clean.charAt(i) == '\n' ? i + 1 : start;
        }
        return clean.substring(start).stripTrailing();
    }

    /** Marks that turn the direction of what follows, beyond the end of what they are quoted in. */
    private static boolean turns(int character) {
        return character >= 0x202A && character <= 0x202E || character >= 0x2066 && character <= 0x2069;
    }

    /** A text of several lines that cannot look like several messages: what follows the first line is indented. */
    static String asOne(String text) {
        return text.replace("\n", "\n    ");
    }

    /** A text in which no line but the first looks like the beginning of somebody else's turn, or of a fence. */
    static String withoutHeaders(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : HEADER.matcher(text).replaceAll("$1\\\\$2");
    }

    /** The start of a text, and how much is missing. */
    static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = most > 0 && Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + " … (" + (text.length() - end) + " more characters)";
    }
}
