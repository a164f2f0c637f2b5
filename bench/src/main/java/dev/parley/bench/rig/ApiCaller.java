package dev.parley.bench.rig;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Sends the HTTP requests of one user, without the SDK. */
public final class ApiCaller implements AutoCloseable {
    private static final int MAX_TRIES = 30;

    private final HttpClient http;
    private final URI server;
    private final Accounts.User user;
    private final Duration limit;

    /** @param limit the timeout of each answer */
    public ApiCaller(URI server, Accounts.User user, Duration limit) {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(limit)
                .build();
        this.server = server;
        this.user = user;
        this.limit = limit;
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    public HttpResponse<String> post(String path, byte[] json) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json)));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path))
                .timeout(limit)
                .header("Authorization", "Bearer " + user.token());
    }

    /** Reads an answer that must succeed. */
    public String read(String path) {
        return require(path, () -> get(path));
    }

    public JsonNode readJson(String path) {
        return Json.MAPPER.readTree(read(path));
    }

    /** Posts a request that must succeed; repeats it while rate limits refuse it. */
    public String prepare(String path, Object body) {
        byte[] json = Json.MAPPER.writeValueAsBytes(body);
        return require(path, () -> {
            HttpResponse<String> answer = post(path, json);
            for (int tries = 1; answer.statusCode() == 429 && tries < MAX_TRIES; tries++) {
                Thread.sleep(retryAfterMillis(answer));
                answer = post(path, json);
            }
            return answer;
        });
    }

    private interface Exchange {
        HttpResponse<String> make() throws IOException, InterruptedException;
    }

    private static String require(String path, Exchange exchange) {
        try {
            HttpResponse<String> answer = exchange.make();
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(path + " was answered with " + answer.statusCode() + answer.body());
            }
            return answer.body();
        } catch (IOException lost) {
            throw new IllegalStateException(path + " was not answered", lost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + path + " was called", e);
        }
    }

    public static long retryAfterMillis(HttpResponse<?> refusal) {
        return 1_000 * refusal.headers().firstValueAsLong("Retry-After").orElse(1);
    }

    /** A request's head for a hand-written connection; the caller appends further headers and a blank line. */
    public String head(String method, String path) {
        return HttpBytes.head(method, server.getAuthority(), path, HttpBytes.bearer(user.token()));
    }

    public URI server() {
        return server;
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
