package dev.parley.testkit.history;

/** The outcome of one attempt to write, as far as its writer knows. */
public sealed interface Outcome {
    /** The message is in the log, at this seq. */
    record Acknowledged(String id, long seq, long serverSeqAtSubmit, boolean duplicate) implements Outcome {}

    /** The server reported that it wrote nothing. */
    record Refused(String slug) implements Outcome {}

    /** The writer got no answer. The message may be in the log once, or not at all. */
    record Unknown() implements Outcome {}
}
