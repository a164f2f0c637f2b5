package dev.parley.app;

/** The address cannot be listened on. The message is one sentence for the operator who starts the server. */
final class CannotListen extends RuntimeException {
    CannotListen(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
