package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The effect of the settings cors-origins and public-url on the whole server. */
class BrowsersTest {
    private static final String THREADS = "/api/v1/chat/threads";

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--cors-origins",
            "https://app.example.org,https://other.example.org",
            "--public-url",
            "https://parley.example.org");

    private static final Api api = new Api(server.uri(), server.token(UUID.randomUUID(), "Ada"));

    @Test
    void aPageOfAListedSiteMayCall() {
        Api.Reply preflight = api.send(
                "OPTIONS",
                THREADS,
                null,
                "Origin: https://app.example.org",
                "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: authorization, content-type, x-tenant");

        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Headers").orElse("")).contains("Idempotency-Key", "x-tenant");
        assertThat(preflight.header("Access-Control-Allow-Methods")).contains("GET, HEAD, POST");
        Api.Reply made = api.post(THREADS, "{}", "Origin: https://app.example.org");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Access-Control-Allow-Origin")).contains("https://app.example.org");
        assertThat(made.header("Strict-Transport-Security")).isPresent();
    }

    @Test
    void aPageOfAnotherSiteMayNotReadResponses() {
        Api.Reply answer = api.post(THREADS, "{}", "Origin: https://evil.example.org");

        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(answer.header("Vary")).isPresent();
    }

    @Test
    void streamsHaveTheSameHeaders() throws IOException {
        try (var stream = api.open("/api/v1/chat/inbox/stream", "Origin: https://other.example.org")) {
            assertThat(stream.readHead().header("Access-Control-Allow-Origin")).contains("https://other.example.org");
        }
    }
}
