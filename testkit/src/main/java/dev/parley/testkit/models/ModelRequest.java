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
 * @param number the number of the request, counted from 0 over all requests to a server
 * @param path the path with its query, as in the request line
 * @param headers the headers by lower-case name, with the last value of a repeated header
 * @param body the content as JSON; a missing node if the content is no JSON
 * @param violations the provider's rules that the request broke; if there are any, the request was answered 400 and
 *     used no script
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
