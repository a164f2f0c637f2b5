package dev.parley.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/** Reads a time as ISO 8601 text with an offset. Numbers are refused, because their epoch and unit are unknown. */
final class InstantText extends StdDeserializer<Instant> {
    InstantText() {
        super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.VALUE_STRING)) {
            return (Instant) context.handleUnexpectedToken(getValueType(context), parser);
        }
        String text = parser.getString();
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException unreadable) {
            return (Instant) context.handleWeirdStringValue(Instant.class, text, "not a time as in ISO 8601");
        }
    }
}
