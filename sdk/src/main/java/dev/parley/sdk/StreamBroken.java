package dev.parley.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A stream failed repeatedly at the same position, by a gap or an unreadable frame. The client no longer follows it.
 */
public final class StreamBroken extends RuntimeException {
    StreamBroken(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
