package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/**
 * How large a body a route takes, and what it says to a larger one.
 *
 * @param sentence for protocols whose clients know theirs by heart
 */
public record BodyLimit(long bytes, String sentence) {
    /** Of a route that takes no body: what a client sends nevertheless is dropped. */
    static final BodyLimit NO_BODY = new BodyLimit(-1, "");

    public static BodyLimit of(long bytes) {
        return new BodyLimit(bytes, "The body is larger than the " + bytes + " bytes this address takes.");
    }

    boolean takesBody() {
        return bytes >= 0;
    }

    ProblemException exceeded() {
        return new ProblemException(Problem.PAYLOAD_TOO_LARGE, sentence, List.of(), Map.of("limit_bytes", bytes));
    }
}
