package dev.parley.bench.rig;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Somebody who asks the server's own agent and follows each answer to its end. */
public final class RunClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final URI server;
    private final String token;

    public RunClient(URI server, Accounts.User user) {
        this.server = server;
        this.token = user.token();
    }

    /** One turn: a question, and its whole answer as it was streamed. */
    public void turn(ThreadId thread, String question) {
        String run = UUID.randomUUID().toString();
        Map<String, Object> input = Map.of(
                "threadId", thread.toString(),
                "runId", run,
                "messages", List.of(Map.of("id", "q-" + run, "role", "user", "content", question)));
        HttpRequest start = request("/api/v1/agent/runs")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(input)))
                .build();
        HttpRequest follow =
                request("/api/v1/agent/runs/" + thread + "/events?runId=" + run).build();
        try {
            HttpResponse<String> accepted = http.send(start, HttpResponse.BodyHandlers.ofString());
            if (accepted.statusCode() != 202) {
                throw new IllegalStateException("A run was not accepted: " + accepted.body());
            }
            HttpResponse<InputStream> stream = http.send(follow, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = stream.body()) {
                // A stream of one run ends with it.
                String events = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                if (!events.contains("RUN_FINISHED")) {
                    throw new IllegalStateException("A run did not finish: " + events);
                }
            }
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in the middle of a turn", e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path)).timeout(LIMIT).header("Authorization", "Bearer " + token);
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
