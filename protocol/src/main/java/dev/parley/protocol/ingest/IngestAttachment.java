package dev.parley.protocol.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A file in a message.
 *
 * @param type the declared kind, such as {@code image} or {@code file}; the server decides by the bytes
 * @param content the bytes in base64
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IngestAttachment(
        @Nullable String type,
        String content,
        @Nullable String mimeType,
        @Nullable String name) {}
