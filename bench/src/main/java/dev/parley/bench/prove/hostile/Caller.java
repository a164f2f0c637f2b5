package dev.parley.bench.prove.hostile;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Requests of one user, honest or not. */
final class Caller implements AutoCloseable {
    /** An honest caller counts an answer that takes longer as an error. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final int MAX_TRIES = 30;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final URI server;
    private final Accounts.User user;

    Caller(URI server, Accounts.User user) {
        this.server = server;
        this.user = user;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, byte[] json) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json)));
    }

    /** Posts what has to succeed before the proof can begin; patient with limits of rates. */
    JsonNode prepare(String path, Object body) {
        byte[] json = Json.MAPPER.writeValueAsBytes(body);
        try {
            HttpResponse<String> answer = post(path, json);
            for (int tries = 1; answer.statusCode() == 429 && tries < MAX_TRIES; tries++) {
                Thread.sleep(retryAfterMillis(answer));
                answer = post(path, json);
            }
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(path + " was answered with " + answer.statusCode() + answer.body());
            }
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException lost) {
            throw new IllegalStateException("The proof could not be prepared", lost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the proof was prepared", e);
        }
    }

    static long retryAfterMillis(HttpResponse<?> refusal) {
        return 1_000 * refusal.headers().firstValueAsLong("Retry-After").orElse(1);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(LIMIT)
                .header("Authorization", "Bearer " + user.token());
    }

    /** A request's head for a connection that is written by hand; the caller appends further headers and a blank line. */
    String head(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\nAuthorization: Bearer "
                + user.token() + "\r\n";
    }

    String newThread(String title) {
        return prepare("/api/v1/chat/threads", Map.of("title", title))
                .path("thread_id")
                .asString();
    }

    URI server() {
        return server;
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
