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

/** Parts of a JSON text exactly as they were written. The text is valid: whoever asks has read it before. */
public final class JsonSlices {
    private JsonSlices() {}

    /** The objects that are a member of the text's own object; null if it has no such member, or one that is no object. */
    public static byte @Nullable [] memberOf(byte[] text, String name) {
        requireUtf8(text);
        try (JsonParser parser = Json.MAPPER.createParser(text)) {
            parser.nextToken();
            return member(parser, text, name);
        }
    }

    /** The same of each object in a list that is a member of the text's own object. */
    public static List<byte @Nullable []> membersOf(byte[] text, String list, String name) {
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
                    if (parser.currentToken() == JsonToken.START_OBJECT) {
                        slices.add(member(parser, text, name));
                    } else {
                        parser.skipChildren();
                        slices.add(null);
                    }
                }
            }
        }
        return slices;
    }

    /** Stands at the start of an object before, and at its end behind. */
    private static byte @Nullable [] member(JsonParser parser, byte[] text, String name) {
        byte[] slice = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean wanted = parser.currentName().equals(name);
            JsonToken first = parser.nextToken();
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            if (wanted && first == JsonToken.START_OBJECT) {
                slice = Arrays.copyOfRange(
                        text, start, (int) parser.currentLocation().getByteOffset());
            }
        }
        return slice;
    }

    /** JSON of other encodings has zero bytes in it; it would be read, but its slices would not be what is stored. */
    private static void requireUtf8(byte[] text) {
        for (byte each : text) {
            if (each == 0) {
                throw new ProblemException(Problem.INVALID_JSON, "The body must be JSON in UTF-8.");
            }
        }
    }
}
