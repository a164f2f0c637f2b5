package dev.parley.assembly;

/** Text of others on its way between fences: as it is, but without what only machines would read. */
final class Quoted {
    private Quoted() {}

    /** Without control characters, and without empty lines around it. */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .filter(character -> character == '\n' || character == '\t' || !Character.isISOControl(character))
                .forEach(clean::appendCodePoint);
        int start = 0;
        for (int i = 0; i < clean.length() && Character.isWhitespace(clean.charAt(i)); i++) {
            start = clean.charAt(i) == '\n' ? i + 1 : start;
        }
        return clean.substring(start).stripTrailing();
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
