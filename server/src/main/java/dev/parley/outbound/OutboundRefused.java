package dev.parley.outbound;

/** The refusal of an outgoing call. The message is a sentence for people, without addresses. */
public final class OutboundRefused extends Exception {
    OutboundRefused(String message) {
        super(message);
    }
}
