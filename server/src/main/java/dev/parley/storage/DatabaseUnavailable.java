package dev.parley.storage;

/** The database cannot be used at start; the message is one sentence for whoever started the server. */
public final class DatabaseUnavailable extends RuntimeException {
    public DatabaseUnavailable(String sentence) {
        super(sentence);
    }

    public DatabaseUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
