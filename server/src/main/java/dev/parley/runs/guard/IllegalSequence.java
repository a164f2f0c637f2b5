package dev.parley.runs.guard;

/**
 * An event that clients would refuse after the events before it. The message gives the reason, in words for the run's
 * reader.
 */
final class IllegalSequence extends Exception {
    IllegalSequence(String why) {
        // No stack trace: the fault is the agent's.
        super(why, null, false, false);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
