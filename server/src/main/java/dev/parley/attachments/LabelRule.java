package dev.parley.attachments;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;

/**
 * Limits the size of the description that a client gives of its upload. The server never interprets the description,
 * and returns it to the client unchanged.
 */
final class LabelRule {
    private static final int MAX_CACHE_CONTROL = 200;

    private LabelRule() {}

    static void require(StoredObjects.Label label, long maxMetadata) {
        String cacheControl = label.cacheControl() == null ? "" : label.cacheControl();
        Text.requireStorable("cacheControl", cacheControl);
        Text.requireAtMost("cacheControl", cacheControl, MAX_CACHE_CONTROL);
        String metadata = label.metadata() == null ? "{}" : label.metadata();
        if (metadata.getBytes(StandardCharsets.UTF_8).length > maxMetadata) {
            throw ProblemException.invalidField("metadata", "is larger than the limit of " + maxMetadata + " bytes");
        }
        if (!isObject(metadata)) {
            throw ProblemException.invalidField("metadata", "must be a JSON object");
        }
    }

    private static boolean isObject(String json) {
        try {
            return Json.MAPPER.readTree(json).isObject();
        } catch (JacksonException malformed) {
            return false;
        }
    }
}
