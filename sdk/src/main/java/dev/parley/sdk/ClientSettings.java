package dev.parley.sdk;

import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client.
 *
 * @param token the supplier of the token, called before every request because the token may change; null to call as the
 *     local user
 * @param answerLimit maximum duration of one attempt, up to the end of its answer
 * @param silenceLimit maximum time without a byte before a stream counts as dead: three heartbeats
 */
record ClientSettings(
        URI base,
        @Nullable Supplier<String> token,
        Duration connectLimit,
        Duration answerLimit,
        Duration silenceLimit,
        RetryPolicy calls,
        RetryPolicy streams) {
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    ClientSettings {
        if (!"http".equals(base.getScheme()) && !"https".equals(base.getScheme())) {
            throw new IllegalArgumentException("The server's address must start with http:// or https://, not " + base);
        }
    }

    static ClientSettings of(URI base) {
        return new ClientSettings(
                base,
                null,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                HEARTBEAT.multipliedBy(3),
                RetryPolicy.calls(),
                RetryPolicy.streams());
    }

    URI at(String path) {
        String root = base.toString();
        return URI.create((root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + path);
    }
}
