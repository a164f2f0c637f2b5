package dev.parley.app.config;

/** Why the server cannot start as configured, in one sentence for the person who configured it. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String sentence) {
        super(sentence);
    }
}
