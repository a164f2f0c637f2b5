package dev.parley.bench.rig;

/** A wrong use of a command; the message is for the user of the command line. */
public final class UsageException extends RuntimeException {
    public UsageException(String message) {
        super(message);
    }
}
