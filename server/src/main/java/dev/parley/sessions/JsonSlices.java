package dev.parley.sessions;

import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Slices of a JSON text, exactly as they were written. The caller has parsed the text before, so it is valid. */
public final class JsonSlices {
    private JsonSlices() {}

    /**
     * The object in a field of the text's root object; null if there is no such field, or its value is not an object.
     */
    public static byte @Nullable [] memberOf(byte[] text, String name) {
        requireUtf8(text);
        try (JsonParser parser = Json.MAPPER.createParser(text)) {
            parser.nextToken();
            return member(parser, text, name);
        }
    }

    /** The text's root object, without the white space around it. */
    public static byte[] objectOf(byte[] text) {
        requireUtf8(text);
        try (JsonParser parser = Json.MAPPER.createParser(text)) {
            parser.nextToken();
            return slice(parser, text);
        }
    }

    /** The elements of a list in a field of the text's root object; null for an element that is not an object. */
    public static List<byte @Nullable []> elementsOf(byte[] text, String list) {
        requireUtf8(text);
        List<byte @Nullable []> slices = new ArrayList<>();
        try (JsonParser parser = Json.MAPPER.createParser(text)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean wanted = parser.currentName().equals(list);
                if (parser.nextToken() != JsonToken.START_ARRAY || !wanted) {
                    parser.skipChildren();
                    continue;
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    boolean object = parser.currentToken() == JsonToken.START_OBJECT;
                    byte[] element = slice(parser, text);
                    slices.add(object ? element : null);
                }
            }
        }
        return slices;
    }

    /** Expects the parser at the start of an object, and leaves it at the end. */
    private static byte @Nullable [] member(JsonParser parser, byte[] text, String name) {
        byte[] slice = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean wanted = parser.currentName().equals(name);
            boolean object = parser.nextToken() == JsonToken.START_OBJECT;
            if (wanted && object) {
                slice = slice(parser, text);
            } else {
                parser.skipChildren();
            }
        }
        return slice;
    }

    /** The value at the parser's position; leaves the parser at its end. */
    private static byte[] slice(JsonParser parser, byte[] text) {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        return Arrays.copyOfRange(text, start, (int) parser.currentLocation().getByteOffset());
    }

    /**
     * JSON in other encodings contains zero bytes; the parser would read it, but its slices would not be the stored
     * text.
     */
    private static void requireUtf8(byte[] text) {
        for (byte each : text) {
            if (each == 0) {
                throw new ProblemException(Problem.INVALID_JSON, "The body must be JSON in UTF-8.");
            }
        }
    }
}
