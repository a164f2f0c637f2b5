package dev.parley.http;

import dev.parley.protocol.Json;
import dev.parley.protocol.MediaType;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;

/** Reads a request's body as JSON. Faults name position and shape, and never quote the body. */
final class JsonBody {
    private static final int PIECE = 8 * 1024;

    private JsonBody() {}

    static <T> T read(byte[] body, String contentType, Class<T> type) {
        if (body.length == 0) {
            throw JsonFault.invalid("is empty; a JSON document is expected");
        }
        requireJson(contentType);
        requireUtf8(body);
        T value;
        try {
            value = Json.MAPPER.readValue(body, type);
        } catch (JacksonException e) {
            throw JsonFault.explain(e, body);
        }
        if (value == null) {
            throw JsonFault.notAnObject();
        }
        return value;
    }

    private static void requireJson(String contentType) {
        if (contentType.isEmpty()) {
            return;
        }
        MediaType type = MediaType.parse(contentType);
        if (!type.parameter("charset").orElse("utf-8").equalsIgnoreCase("utf-8")) {
            throw new ProblemException(Problem.UNSUPPORTED_MEDIA_TYPE, "The body must be encoded in UTF-8.");
        }
        if (!type.isJson()) {
            throw new ProblemException(
                    Problem.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: application/json.");
        }
    }

    /**
     * Refuses a body that is not UTF-8. The parser alone would also guess UTF-16 and UTF-32, and accept some malformed
     * sequences.
     */
    private static void requireUtf8(byte[] body) {
        boolean ascii = true;
        for (byte b : body) {
            ascii &= b > 0;
        }
        if (ascii) {
            return;
        }
        // The body is decoded piece by piece, because the whole text of a large body would take twice the body's
        // memory.
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(body);
        CharBuffer piece = CharBuffer.allocate(PIECE);
        CoderResult result;
        do {
            result = decoder.decode(bytes, piece.clear(), true);
        } while (result.isOverflow());
        if (result.isError()) {
            throw JsonFault.invalid("is not well-formed UTF-8");
        }
        for (byte b : body) {
            if (b == 0) {
                throw JsonFault.invalid("holds a NUL byte");
            }
        }
    }
}
