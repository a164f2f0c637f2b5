package dev.parley.outbound;

/** The server does not connect there. The message is a sentence for people and names no address. */
public final class OutboundRefused extends Exception {
    OutboundRefused(String message) {
        super(message);
    }
}
