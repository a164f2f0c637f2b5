package dev.parley.protocol.chat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A thread to create. Every field is optional.
 *
 * @param reuse true to get the thread that was created with this flag for the same set of participants, if there is one
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewThread(
        @Nullable String threadType,
        @Nullable String title,
        @Nullable List<String> targetUserIds,
        @Nullable List<String> participants,
        @Nullable String participationMode,
        @Nullable String initialMessage,
        @Nullable String onStale,
        @Nullable Boolean reuse) {
    /** A thread without {@code onStale} and {@code reuse}. */
    public NewThread(
            @Nullable String threadType,
            @Nullable String title,
            @Nullable List<String> targetUserIds,
            @Nullable List<String> participants,
            @Nullable String participationMode,
            @Nullable String initialMessage) {
        this(threadType, title, targetUserIds, participants, participationMode, initialMessage, null, null);
    }

    /** A private thread with the caller alone. */
    public static final NewThread EMPTY = new NewThread(null, null, null, null, null, null);

    public static NewThread titled(String title) {
        return new NewThread(null, title, null, null, null, null);
    }
}
