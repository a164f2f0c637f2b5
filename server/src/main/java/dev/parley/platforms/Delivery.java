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
 * @param body its bytes as they came, not to be changed
 */
public record Delivery(
        String path, Map<String, String> parameters, Function<String, Optional<String>> headers, byte[] body) {
    public Optional<String> header(String name) {
        return headers.apply(name);
    }
}
