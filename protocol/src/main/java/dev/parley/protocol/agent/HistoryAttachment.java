package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A file that hangs on a message. Its members are named as in the message's metadata.
 *
 * @param url where it can be fetched for a while; null if it cannot
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record HistoryAttachment(
        String bucket,
        String path,
        @Nullable String mimeType,
        @Nullable String filename,
        @Nullable Integer width,
        @Nullable Integer height,
        @Nullable String url) {}
