package dev.parley.sessions;

import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** Writes the field by which an item refers to its medium instead of containing it. */
final class MediaLink {
    /** The backend's name in a reference, by which clients know that Parley stores the medium. */
    static final String BACKEND = "parley";

    private MediaLink() {}

    /** A field with its name, such as {@code "url":"https://…"}, to be placed between other fields. */
    static byte[] member(MediaMode mode, Medium medium, String link) {
        String text = switch (mode) {
            case URL -> "\"url\":" + Json.MAPPER.writeValueAsString(link);
            case REFERENCE -> "\"media_reference\":" + Json.MAPPER.writeValueAsString(reference(medium, link));
            case INLINE -> throw new IllegalArgumentException("An inline medium has no link.");
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode reference(Medium medium, String link) {
        return Json.MAPPER
                .createObjectNode()
                .put("media_id", medium.mediaId() == null ? medium.sha256() : medium.mediaId())
                .put("storage_key", medium.key().toString())
                .put("storage_backend", BACKEND)
                .put("url", link)
                .put("mime_type", medium.mimeType())
                .put("size", medium.bytes())
                .put("content_hash", medium.sha256())
                .put("media_type", MediaKind.at(medium.pointer()).wire());
    }
}
