package dev.parley.ingest;

import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message of a platform before an inbound message.
 *
 * @param externalId the platform's id of the message
 * @param channel the platform's id of its channel; null for the channel of the inbound message
 * @param marker the marker of the server's own deliveries; null if the platform shows none
 * @param text the text as the sender typed it
 * @param saidAt the time of the message; null if the platform omits it
 * @param first true if the platform's thread begins with this message
 */
public record EarlierMessage(
        String externalId,
        @Nullable String channel,
        @Nullable String marker,
        Author author,
        String text,
        @Nullable Instant saidAt,
        boolean first) {
    private static final int MAX_FILES_NAMED = 20;

    /**
     * The sender of an earlier message.
     *
     * @param actor the id by which an erasure names the sender, such as {@code slack:U03}
     * @param name the display name
     * @param mentionToken the platform's token that mentions the sender; null for bots
     */
    public record Author(
            String actor, String name, @Nullable String mentionToken) {}

    /** The placeholder text for the files of a message without text; empty without files. */
    public static String filePlaceholder(Stream<String> filenames) {
        String names = filenames
                .map(name -> name.isBlank() ? "unnamed" : name)
                .limit(MAX_FILES_NAMED)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "(file: " + names + ")";
    }
}
