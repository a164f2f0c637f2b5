package dev.parley.agents.model;

import dev.parley.assembly.PromptedCalls;

/**
 * Finds possible ends of a fenced block of JSON while the model still writes the block. The state after each character
 * tells if a fence at that place is inside of the JSON. Therefore each character is read only once, even if the block
 * arrives in many pieces.
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

    /** Starts over with a block whose content begins at {@code inside}. */
    void begin(int inside) {
        at = inside;
        json = Json.BEFORE;
        depth = 0;
        quoted = false;
        escaped = false;
        lineStart = false;
    }

    /**
     * The index of the next fence that may end the block; -1 if there is no such fence yet. A fence may end the block
     * if it follows a whole JSON object, or if it is at the start of a line.
     */
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

    /**
     * True if the fence that {@link #next} found is at the start of a line. Such a fence ends the block, even if the
     * content is not JSON.
     */
    boolean isAtLineStart() {
        return lineStart;
    }

    /** Notes that the text before the fence is no JSON object, so the fence does not end the block. */
    void markNoJson() {
        json = Json.NONE;
    }

    /** Number of characters read, for tests. */
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
