package dev.parley.log;

/** A command was refused because what it was built from has changed: its author builds it anew. No caller sees this. */
public final class OutdatedCommand extends RuntimeException {
    public OutdatedCommand(String detail) {
        // No stack trace: it is an answer, not a fault.
        super(detail, null, false, false);
    }
}
