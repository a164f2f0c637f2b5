package dev.parley.protocol.agent;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A file attached to a message. Its fields have the same names as in the message's metadata.
 *
 * @param url a temporary address of the file; null if the file cannot be fetched
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
