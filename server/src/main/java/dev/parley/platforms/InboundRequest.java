package dev.parley.platforms;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request that claims to come from a platform.
 *
 * @param path one of {@link ChatPlatform#paths}
 * @param parameters the values of the path's parameters
 * @param headers finds a header by its name, in upper or lower case
 * @param body reads the raw bytes, which must not be changed; the platform checks the headers first
 */
public record InboundRequest(
        String path, Map<String, String> parameters, Function<String, Optional<String>> headers, BodyReader body) {
    /** Reader of the body; the first call reads it from the connection and may block. */
    public interface BodyReader {
        byte[] read();
    }

    /** A request whose body has been read. */
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
