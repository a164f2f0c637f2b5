package dev.parley.log;

import java.util.Locale;

/** In which part an author speaks. */
public enum Role {
    USER,
    ASSISTANT,
    SYSTEM,
    TOOL;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The name in SQL and JSON. */
    public String wire() {
        return wire;
    }

    public static Role of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
