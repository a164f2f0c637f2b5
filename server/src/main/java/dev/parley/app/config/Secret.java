package dev.parley.app.config;

import java.nio.charset.StandardCharsets;

/** A text that must not be printed: it shows as asterisks wherever it is turned into text. */
public record Secret(String reveal) {
    static final String MASK = "****";

    public byte[] bytes() {
        return reveal.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return MASK;
    }
}
