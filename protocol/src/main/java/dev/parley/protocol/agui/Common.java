package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that every event may have.
 *
 * @param timestamp milliseconds since 1970, a whole number
 * @param rawEvent the provider's event, as received
 * @param metadata metadata that clients merge, key by key, into the message or call that the event builds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Common(
        @Nullable Long timestamp,
        @Nullable JsonNode rawEvent,
        @Nullable ObjectNode metadata) {
    public static final Common NONE = new Common(null, null, null);

    public Common {
        rawEvent = Absent.ifNull(rawEvent);
    }

    public static Common metadata(ObjectNode metadata) {
        return new Common(null, null, metadata);
    }
}
