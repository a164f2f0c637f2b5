package dev.parley.testkit.history;

/** The answer that a writer got to one attempt to write. */
public sealed interface Outcome {
    /** The message is in the log, at this seq. */
    record Acknowledged(String id, long seq, long serverSeqAtSubmit, boolean duplicate) implements Outcome {}

    /** The server reported that it wrote nothing. */
    record Refused(String slug) implements Outcome {}

    /** Without an answer, the message may be in the log once, or not at all. */
    record Unknown() implements Outcome {}
}
