package dev.parley.protocol.agui;

/** A JSON Patch does not apply to its document; the message names the operation and the reason. */
public final class CannotPatch extends Exception {
    private static final long serialVersionUID = 1;

    CannotPatch(String reason) {
        super(reason);
    }
}
