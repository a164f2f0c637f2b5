package dev.parley.testkit.history;

/** What a writer was told about one attempt to write. */
public sealed interface Outcome {
    /** It is in the log, at this place. */
    record Acknowledged(String id, long seq, long serverSeqAtSubmit, boolean duplicate) implements Outcome {}

    /** The server said that it wrote nothing. */
    record Refused(String slug) implements Outcome {}

    /** No answer: it may be in the log, once, or not. */
    record Unknown() implements Outcome {}
}
