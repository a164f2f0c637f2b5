package dev.parley.log;

/** A refused command whose facts have changed since it was built: its author builds it anew. No caller sees this. */
public final class OutdatedCommand extends RuntimeException {
    public OutdatedCommand(String detail) {
        // No stack trace: this is an answer, not a fault.
        super(detail, null, false, false);
    }
}
