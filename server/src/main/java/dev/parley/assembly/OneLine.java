package dev.parley.assembly;

import dev.parley.protocol.Alphabet;

/** Writes untrusted text in one line: line breaks become spaces, and invisible characters are removed. */
public final class OneLine {
    private static final Alphabet SPACE = Alphabet.of(" ");

    private OneLine() {}

    /** The text in one line, with at most {@code longest} visible code points. */
    public static String of(String text, int longest) {
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .filter(character -> !isHidden(character))
                .limit(longest)
                .forEach(character -> line.appendCodePoint(isBreaking(character) ? ' ' : character));
        return SPACE.oneOfEach(line.toString().strip(), ' ');
    }

    /** The whole text with invisible characters written as escapes, for people who decide by the text that they see. */
    public static String escaped(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().forEach(character -> {
            if (isHidden(character) || isBreaking(character)) {
                line.append("\\u{").append(Integer.toHexString(character)).append('}');
            } else {
                line.appendCodePoint(character);
            }
        });
        return line.toString();
    }

    static boolean isBreaking(int character) {
        return Character.isISOControl(character)
                || Character.getType(character) == Character.LINE_SEPARATOR
                || Character.getType(character) == Character.PARAGRAPH_SEPARATOR;
    }

    /** True for invisible characters. Some of them, such as direction marks, change the text that a reader sees. */
    static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> true;
            // These letters are drawn as blanks.
            default -> character == 0x115F || character == 0x1160 || character == 0x3164 || character == 0xFFA0;
        };
    }
}
