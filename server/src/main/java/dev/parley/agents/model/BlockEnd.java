package dev.parley.agents.model;

import dev.parley.assembly.PromptedCalls;

/**
 * Finds possible ends of a fenced block while the block is still being written. Each character is read once, in however
 * many pieces the block comes: the state after the characters before a fence tells if the fence is inside of the JSON.
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

    /** The next fence that may be the end: after a whole object, or at the start of a line; -1 if there is none yet. */
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

    /** True if the fence is at the start of a line, which ends the block with any content. */
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
