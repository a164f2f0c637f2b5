package dev.parley.sdk;

import org.jspecify.annotations.Nullable;

/** A stream kept breaking its promises (a gap, an unreadable frame) at the same place, so following it was given up. */
public final class StreamBroken extends RuntimeException {
    StreamBroken(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
