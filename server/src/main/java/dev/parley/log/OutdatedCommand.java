package dev.parley.log;

/**
 * A command was refused because its facts have changed since it was built. The code that built the command builds it
 * again, so no caller sees this exception.
 */
public final class OutdatedCommand extends RuntimeException {
    public OutdatedCommand(String detail) {
        // No stack trace: this is an answer, not a fault.
        super(detail, null, false, false);
    }
}
