package dev.parley.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP answer as received.
 *
 * @param headers the values of each header in order, by lower-case name
 */
public record RawAnswer(int status, Map<String, List<String>> headers, byte[] body) {
    public Optional<String> header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                .findFirst();
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
