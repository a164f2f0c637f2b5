package dev.parley.protocol.agui;

/** A JSON Patch does not apply to its document; the message says which operation, and why. */
public final class CannotPatch extends Exception {
    private static final long serialVersionUID = 1;

    CannotPatch(String reason) {
        super(reason);
    }
}
