package dev.parley.bench.rig;

/** A command was called wrongly; the message is for whoever typed it. */
public final class UsageException extends RuntimeException {
    public UsageException(String message) {
        super(message);
    }
}
