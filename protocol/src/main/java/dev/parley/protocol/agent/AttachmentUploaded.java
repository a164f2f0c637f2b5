package dev.parley.protocol.agent;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An image that was uploaded.
 *
 * @param url good for a day, to be used in a run's message or to be shown
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AttachmentUploaded(String bucket, String path, String mimeType, String url) {}
