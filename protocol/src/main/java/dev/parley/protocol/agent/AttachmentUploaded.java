package dev.parley.protocol.agent;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An uploaded image.
 *
 * @param url valid for a day; goes into a run's message or is shown
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AttachmentUploaded(String bucket, String path, String mimeType, String url) {}
