package dev.parley.testkit.models;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer with a status that is not 200.
 *
 * @param message the message in the provider's own error body
 * @param raw a literal body in place of the provider's error body, such as a proxy's page
 */
record Refusal(
        int status,
        Map<String, String> headers,
        String message,
        @Nullable String raw) {
    Refusal {
        headers = Map.copyOf(headers);
    }
}
