package dev.parley.assembly;

/** Names as they may stand in front of a turn: nothing in them can look like the end of the header or another turn. */
final class Names {
    private static final int LONGEST = 200;
    private static final String COLONS = ":\u02D0\u05C3\u2236\uA789\uFE13\uFE55\uFF1A";

    private Names() {}

    /** The name without what could forge a header; empty if nothing is left of it. */
    static String neutral(String name) {
        StringBuilder neutral = new StringBuilder();
        name.codePoints().limit(LONGEST).forEach(character -> {
            if (isBreaking(character)) {
                neutral.append(' ');
            } else if (!isHidden(character)) {
                neutral.appendCodePoint(character);
            }
        });
        return neutral.toString().strip().replaceAll(" +", " ");
    }

    /** Brackets and colons of every script, and whatever a reader takes for the end of a line. */
    private static boolean isBreaking(int character) {
        return switch (Character.getType(character)) {
            case Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.CONTROL,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> COLONS.indexOf(character) >= 0 || character == '<' || character == '>';
        };
    }

    /** Zero-width and direction marks change what a reader sees without being seen. */
    private static boolean isHidden(int character) {
        return switch (Character.getType(character)) {
            case Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> true;
            // Letters that are drawn as nothing.
            default -> character == 0x115F || character == 0x1160 || character == 0x3164 || character == 0xFFA0;
        };
    }
}
