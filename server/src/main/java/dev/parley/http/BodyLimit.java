package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/**
 * The largest body that a route takes, and the refusal of a larger body.
 *
 * @param sentence the text of the refusal, for protocols whose clients compare it
 */
public record BodyLimit(long bytes, String sentence) {
    /** The limit of a route that takes no body. A body that a client sends all the same is dropped. */
    static final BodyLimit NO_BODY = new BodyLimit(-1, "");

    static BodyLimit of(long bytes) {
        return new BodyLimit(bytes, "The body is larger than the " + bytes + " bytes this address takes.");
    }

    boolean takesBody() {
        return bytes >= 0;
    }

    ProblemException exceeded() {
        return new ProblemException(Problem.PAYLOAD_TOO_LARGE, sentence, List.of(), Map.of("limit_bytes", bytes));
    }
}
