package dev.parley.assembly;

/**
 * Estimates the tokens of a text, roughly and equally for all providers. Each provider counts differently and reports
 * its count only afterwards, but a budget needs a number before the request. The estimate is high for scripts without
 * spaces.
 */
public final class TokenEstimate {
    private static final int OF_MESSAGE = 4;
    /** The most tokens that the large providers take for an image of common size. */
    private static final int OF_PICTURE = 1_600;

    private TokenEstimate() {}

    public static int in(ContextMessage message) {
        return OF_MESSAGE
                + switch (message) {
                    case ContextMessage.SystemBlock system -> in(system.text());
                    case ContextMessage.User user ->
                        user.parts().stream().mapToInt(TokenEstimate::in).sum();
                    case ContextMessage.Assistant assistant ->
                        in(assistant.text())
                                + assistant.calls().stream()
                                        .mapToInt(call -> OF_MESSAGE + in(call.tool()) + in(call.arguments()))
                                        .sum();
                    case ContextMessage.ToolResult result -> in(result.text());
                };
    }

    private static int in(ContextMessage.Part part) {
        return switch (part) {
            case ContextMessage.Part.Text text -> in(text.text());
            case ContextMessage.Part.Picture picture -> OF_PICTURE;
        };
    }

    static int in(String text) {
        long quarters = 0;
        for (int i = 0; i < text.length(); i++) {
            quarters += quarters(text.charAt(i));
        }
        return (int) Math.min(Integer.MAX_VALUE / 4, (quarters + 3) / 4);
    }

    /** The number of characters, from the start of a text, that take at most this many tokens. */
    static int charactersIn(String text, long tokens) {
        long quarters = 0;
        for (int i = 0; i < text.length(); i++) {
            quarters += quarters(text.charAt(i));
            if (quarters > tokens * 4) {
                return i;
            }
        }
        return text.length();
    }

    /**
     * The quarters of a token that a character takes: 1 for ASCII, 2 for other alphabets, 4 for all other characters.
     */
    private static int quarters(char character) {
        return character < 0x80 ? 1 : character < 0x800 ? 2 : 4;
    }
}
