package dev.parley.app;

/** The address cannot be listened on; the message is one sentence for whoever started the server. */
final class CannotListen extends RuntimeException {
    CannotListen(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
