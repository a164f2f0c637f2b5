package dev.parley.protocol.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message to ingest into the thread whose id is in the path of the request.
 *
 * @param content another name for {@code message}
 * @param source the platform, if the metadata does not name it
 * @param extraMetadata another name for {@code msgMetadata}
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IngestInjection(
        @Nullable String message,
        @Nullable String content,
        @Nullable String source,
        @Nullable ObjectNode msgMetadata,
        @Nullable ObjectNode extraMetadata,
        @Nullable List<IngestAttachment> attachments,
        @Nullable Boolean passive) {}
