package dev.parley.agents.tools;

/** Why a server of tools did not answer. The message is a sentence for a model, without addresses or secrets. */
final class ToolFailure extends Exception {
    private final Kind kind;

    ToolFailure(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /** What to make of it. */
    enum Kind {
        /** The server answered, by refusing. */
        REFUSED,
        /** It took too long; the connection is as it was. */
        SLOW,
        /** The connection is of no use any more. */
        BROKEN,
        /** The server knows nothing of the connection, and so has done nothing either. */
        FORGOTTEN
    }

    Kind kind() {
        return kind;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
