package dev.parley.app.config;

/** A configuration that the server cannot start with. The message is one sentence for the operator. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String sentence) {
        super(sentence);
    }
}
