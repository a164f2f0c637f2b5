package dev.parley.platforms;

import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of an inbound request: one JSON object in UTF-8. Its errors never quote the body. */
public final class InboundBody {
    private InboundBody() {}

    public static ObjectNode read(byte[] body) {
        String text;
        try {
            // The body is decoded strictly, because the parser alone would guess other encodings.
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new ProblemException(Problem.INVALID_JSON, "The body is not well-formed UTF-8.");
        }
        JsonNode read;
        try {
            read = Json.MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            throw new ProblemException(Problem.INVALID_JSON, "The body is not valid JSON.");
        }
        if (read instanceof ObjectNode object) {
            return object;
        }
        throw new ProblemException(Problem.INVALID_JSON, "The body must be a JSON object.");
    }
}
