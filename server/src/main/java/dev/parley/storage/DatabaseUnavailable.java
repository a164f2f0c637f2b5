package dev.parley.storage;

/** The database cannot be used at the start. The message is one sentence for the operator who starts the server. */
public final class DatabaseUnavailable extends RuntimeException {
    public DatabaseUnavailable(String sentence) {
        super(sentence);
    }

    public DatabaseUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
