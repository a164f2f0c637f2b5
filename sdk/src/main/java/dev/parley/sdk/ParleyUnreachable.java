package dev.parley.sdk;

import org.jspecify.annotations.Nullable;

/** No usable answer came. A request that writes may still have taken effect, unless no attempt reached a server. */
public final class ParleyUnreachable extends RuntimeException {
    private final boolean outcomeUnknown;

    ParleyUnreachable(String message, @Nullable Throwable cause, boolean outcomeUnknown) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    /** False only if no attempt ever reached a server. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
