package dev.parley.testkit.models;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A client's request.
 *
 * @param number counted from 0, over all requests of a server
 * @param path with its query, as in the request line
 * @param headers by lower-case name; of a repeated header the last value
 * @param body missing if the content is no JSON
 * @param violations the broken rules of the provider; such a request was answered 400 and used no script
 */
public record ModelRequest(
        int number,
        String method,
        String path,
        Map<String, String> headers,
        byte[] raw,
        JsonNode body,
        List<String> violations) {
    public ModelRequest {
        headers = Map.copyOf(headers);
        violations = List.copyOf(violations);
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    public String text() {
        return new String(raw, StandardCharsets.UTF_8);
    }

    /** The path without its query. */
    String route() {
        return path.split("\\?", 2)[0];
    }

    ModelRequest judged(List<String> violations) {
        return new ModelRequest(number, method, path, headers, raw, body, violations);
    }
}
