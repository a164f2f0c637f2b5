package dev.parley.platforms.bluebubbles;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads fields of BlueBubbles' JSON. A field of an unexpected type counts as absent. */
final class Fields {
    private Fields() {}

    static String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isString() ? value.stringValue() : "";
    }

    static boolean isTrue(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isBoolean() && value.booleanValue();
    }

    static long number(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : 0;
    }

    /** A time in milliseconds; 0 means none. */
    static Optional<Instant> moment(JsonNode object, String name) {
        long millis = number(object, name);
        try {
            return millis <= 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
        } catch (DateTimeException beyond) {
            return Optional.empty();
        }
    }
}
