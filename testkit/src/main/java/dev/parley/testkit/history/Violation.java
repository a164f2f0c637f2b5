package dev.parley.testkit.history;

/** One broken promise, in words. */
public record Violation(Kind kind, String text) {
    /** The kind of promise that was broken. */
    public enum Kind {
        /** An entry was acknowledged or seen, but is not in the log (I1, I6). */
        LOST,
        /** A key or an entry appears more than once (I3, I6). */
        DUPLICATED,
        /** Entries are in another order than promised, or an entry is at another seq than acknowledged (I1, I2, I5). */
        REORDERED,
        /** A seq is missing (I2, I5, I6). */
        GAP,
        /** An entry has another content, id or sender than was written (I1, I4). */
        CHANGED,
        /** A write was refused, but is in the log (I4). */
        WRITTEN_THOUGH_REFUSED,
        /** An entry is in the log under the name of a writer that never wrote it. */
        INVENTED,
        /** A {@code server_seq_at_submit} is not the seq before the seq of its entry (I10). */
        WRONG_SUBMIT_SEQ
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
