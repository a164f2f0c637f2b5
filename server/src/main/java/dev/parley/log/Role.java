package dev.parley.log;

import java.util.Locale;

/** The role of a message's author. */
public enum Role {
    USER,
    ASSISTANT,
    SYSTEM,
    TOOL;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** The role's name in SQL and JSON. */
    public String wire() {
        return wire;
    }

    static Role of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
