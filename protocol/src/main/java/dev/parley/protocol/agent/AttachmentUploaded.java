package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * An image that was uploaded.
 *
 * @param url good for a day, to be used in a run's message or to be shown
 */
public record AttachmentUploaded(
        String bucket,
        String path,
        @JsonProperty("mime_type") String mimeType,
        String url) {}
