package dev.parley.protocol.agent;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An uploaded image.
 *
 * @param url a URL to put into a run's message or to show; valid for a day
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AttachmentUploaded(String bucket, String path, String mimeType, String url) {}
