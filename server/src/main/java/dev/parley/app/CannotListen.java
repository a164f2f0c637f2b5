package dev.parley.app;

/** The server cannot listen on the address. The message is one sentence for the operator who starts the server. */
final class CannotListen extends RuntimeException {
    CannotListen(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
