package dev.parley.agents.model;

import dev.parley.assembly.PromptedCalls;

/**
 * Finds where a fenced block may end while it is still being written. Each character is looked at once, however many
 * pieces a block comes in: whether a fence stands inside the JSON is known from what came before it.
 */
final class BlockEnd {
    private static final String FENCE = PromptedCalls.END;

    private enum Json {
        BEFORE,
        OPEN,
        WHOLE,
        NONE
    }

    private int at;
    private Json json = Json.BEFORE;
    private int depth;
    private boolean quoted;
    private boolean escaped;
    private boolean lineStart;
    private long steps;

    /** Begins anew, with a block whose inside starts here. */
    void begin(int inside) {
        at = inside;
        json = Json.BEFORE;
        depth = 0;
        quoted = false;
        escaped = false;
        lineStart = false;
    }

    /** The next fence that may be the end: behind a whole object, or at the start of a line. -1 as long as there is none. */
    int next(CharSequence held) {
        for (; at < held.length(); at++) {
            steps++;
            char character = held.charAt(at);
            if (character == FENCE.charAt(0) && (json == Json.WHOLE || lineStart)) {
                if (held.length() - at < FENCE.length()) {
                    return -1;
                }
                if (FENCE.contentEquals(held.subSequence(at, at + FENCE.length()))) {
                    return at;
                }
            }
            take(character);
        }
        return -1;
    }

    /** Whether the fence that was found ends the block whatever is in it. */
    boolean isAtLineStart() {
        return lineStart;
    }

    /** What looked like a whole object is none, so that the fence that was found ends nothing. */
    void isNoJson() {
        json = Json.NONE;
    }

    /** How many characters were looked at. */
    long steps() {
        return steps;
    }

    private void take(char character) {
        boolean space = Character.isWhitespace(character);
        lineStart = character == '\n' || lineStart && space;
        switch (json) {
            case BEFORE -> {
                if (character == '{') {
                    json = Json.OPEN;
                    depth = 1;
                } else if (!space) {
                    json = Json.NONE;
                }
            }
            case OPEN -> inside(character);
            case WHOLE -> json = space ? json : Json.NONE;
            case NONE -> {}
        }
    }

    private void inside(char character) {
        if (quoted) {
            quoted = escaped || character != '"';
            escaped = !escaped && character == '\\';
            return;
        }
        switch (character) {
            case '"' -> quoted = true;
            case '{', '[' -> depth++;
            case '}', ']' -> depth--;
            default -> {}
        }
        json = depth == 0 ? Json.WHOLE : json;
    }
}
