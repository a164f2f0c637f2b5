package dev.parley.sessions;

import java.util.Locale;
import java.util.Optional;

/** The forms in which media are returned. */
public enum MediaMode {
    /** Base64 inside the message, as it came: the output equals the input. */
    INLINE,
    /** A URL that opens the medium for a while; every version of Agno reads it. */
    URL,
    /** A media_reference, which Agno can read since version 3.0. */
    REFERENCE;

    public static Optional<MediaMode> parse(String text) {
        for (MediaMode mode : values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
