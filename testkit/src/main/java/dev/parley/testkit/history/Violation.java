package dev.parley.testkit.history;

/** One broken promise, in words. */
public record Violation(Kind kind, String text) {
    /** The kind of promise that was broken. */
    public enum Kind {
        /** Acknowledged or seen, but not in the log (I1, I6). */
        LOST,
        /** One key or one entry more than once (I3, I6). */
        DUPLICATED,
        /** In another order than promised, or at another seq than acknowledged (I1, I2, I5). */
        REORDERED,
        /** A seq that is missing (I2, I5, I6). */
        GAP,
        /** Another content, id or sender than was written (I1, I4). */
        CHANGED,
        /** Refused, but in the log (I4). */
        WRITTEN_THOUGH_REFUSED,
        /** In the log under a writer's name, but never written by it. */
        INVENTED,
        /** A {@code server_seq_at_submit} that is not the seq before the entry's own (I10). */
        WRONG_SUBMIT_SEQ
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
