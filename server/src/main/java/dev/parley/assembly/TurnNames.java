package dev.parley.assembly;

import dev.parley.protocol.Alphabet;

/** Neutralizes names in front of a turn: no name can look like the end of the header or like another turn. */
public final class TurnNames {
    private static final Alphabet SPACE = Alphabet.of(" ");

    private static final int MAX_LENGTH = 200;
    private static final String LOOK_ALIKES =
            ":\u02D0\u0589\u05C3\u1365\u1366\u2236\uA789\uFE13\uFE55\uFF1A<>\u00AB\u00BB\u2039\u203A";

    private TurnNames() {}

    /** The name without characters that could forge a header; may be empty. */
    public static String neutral(String name) {
        StringBuilder neutral = new StringBuilder();
        name.codePoints()
                .limit(MAX_LENGTH)
                .filter(character -> !OneLine.isHidden(character))
                .forEach(character -> neutral.appendCodePoint(isBreaking(character) ? ' ' : character));
        return SPACE.oneOfEach(neutral.toString().strip(), ' ');
    }

    /** Brackets and colons of every script, and characters that a reader takes for the end of a line. */
    private static boolean isBreaking(int character) {
        return switch (Character.getType(character)) {
            case Character.START_PUNCTUATION, Character.END_PUNCTUATION, Character.SPACE_SEPARATOR -> true;
            default -> LOOK_ALIKES.indexOf(character) >= 0 || OneLine.isBreaking(character);
        };
    }
}
