package dev.parley.testkit.models;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer with a status that is not 200.
 *
 * @param message told in the provider's own error body
 * @param raw a body as it stands instead, such as a proxy's page
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
