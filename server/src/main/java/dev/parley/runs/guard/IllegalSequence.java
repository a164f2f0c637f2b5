package dev.parley.runs.guard;

/** An event that clients would refuse after those before it. Its message says why, in words for the run's reader. */
final class IllegalSequence extends Exception {
    IllegalSequence(String why) {
        // No stack trace: it is an answer about somebody else's mistake.
        super(why, null, false, false);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
