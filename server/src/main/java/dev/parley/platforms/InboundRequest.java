package dev.parley.platforms;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request that may come from a platform.
 *
 * @param path one of the platform's paths, as it gave it
 * @param parameters the segments that stand for the names in it
 * @param headers finds a header whatever its letters' case
 * @param body reads its bytes as they came, which must not be changed: the platform looks at the head first
 */
public record InboundRequest(
        String path, Map<String, String> parameters, Function<String, Optional<String>> headers, BodyReader body) {
    /** Reads the body from the connection; the first call waits for it. */
    public interface BodyReader {
        byte[] read();
    }

    /** A request whose body is here already. */
    public static InboundRequest of(
            String path, Map<String, String> parameters, Function<String, Optional<String>> headers, byte[] body) {
        return new InboundRequest(path, parameters, headers, () -> body);
    }

    public byte[] readBody() {
        return body.read();
    }

    public Optional<String> header(String name) {
        return headers.apply(name);
    }
}
