package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The roles in which a text message may be streamed. */
public enum TextRole {
    DEVELOPER,
    SYSTEM,
    ASSISTANT,
    USER;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
