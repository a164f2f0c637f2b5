package dev.parley.agents.tools;

/** The failure of a request to a tool server. The message is a sentence for a model, without URLs and secrets. */
final class ToolFailure extends Exception {
    private final Kind kind;

    ToolFailure(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /** The failure's effect on the connection. */
    enum Kind {
        /** The server refused the request; the connection is good. */
        REFUSED,
        /** The request timed out; the connection is good. */
        TIMEOUT,
        /** The connection is broken. */
        BROKEN,
        /** The server has lost the session, so it has not carried out the request. */
        SESSION_LOST
    }

    Kind kind() {
        return kind;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
