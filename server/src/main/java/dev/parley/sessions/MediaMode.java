package dev.parley.sessions;

import java.util.Locale;
import java.util.Optional;

/** How media are given back. */
public enum MediaMode {
    /** As they came, base64 inside the message: what comes out is what went in. */
    INLINE,
    /** By a URL that opens them for a while; every version of Agno reads it. */
    URL,
    /** As a media_reference, which Agno reads since 3.0. */
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
