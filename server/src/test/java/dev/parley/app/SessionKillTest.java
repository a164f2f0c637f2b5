package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed in the middle of runs that Agno streams into a session. The client sends unacknowledged events
 * again, and the runs go on: every acknowledged event is stored, and every event is stored once.
 */
class SessionKillTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int DELTAS = 30;

    private final String session = UUID.randomUUID().toString();

    @Test
    void streamsGoOnAfterTheServerWasKilled() throws Exception {
        Path data = Scratch.folder("data");
        try (TestDatabase database = RunningServer.freshDatabase()) {
            try (ServerProcess server = start(data, database)) {
                for (int i = 0; i < DELTAS; i++) {
                    assertThat(next(post(server, "r1", i, content("r1", i)))).isEqualTo(i + 1);
                }
                post(server, "r1", DELTAS, call("c1", null));
                post(server, "paused", 0, content("paused", 0));
                post(server, "paused", 1, Map.of("event", "RunPaused", "run_id", "paused"));
                server.killNow();
            }
            try (ServerProcess server = start(data, database)) {
                // The last event was stored, but its sender does not know.
                assertThat(next(post(server, "r1", DELTAS, call("c1", null)))).isEqualTo(DELTAS + 1);
                post(server, "r1", DELTAS + 1, call("c1", "done"));
                post(server, "r1", DELTAS + 2, content("r1", DELTAS));
                JsonNode ended = post(server, "r1", DELTAS + 3, Map.of("event", "RunCompleted", "run_id", "r1"));
                assertThat(ended.get("stop").asBoolean()).isTrue();
                post(server, 3, "paused", 2, Map.of("event", "RunContinued", "run_id", "paused"));
                post(server, 3, "paused", 3, content("paused", 1));
                post(server, 3, "paused", 4, Map.of("event", "RunCompleted", "run_id", "paused"));
                StringBuilder before = new StringBuilder();
                for (int i = 0; i < DELTAS; i++) {
                    before.append(word(i));
                }
                assertThat(send(server, "GET", "/api/v1/chat/threads/" + session + "/messages", null)
                                .get("messages")
                                .valueStream()
                                .map(each -> each.get("content").asString()))
                        .containsExactly(before.toString(), "done", word(DELTAS), word(0) + word(1));
            }
        } finally {
            Scratch.delete(data);
        }
    }

    private static String word(int number) {
        return "слово" + number + "词 ";
    }

    private static Map<String, Object> content(String run, int number) {
        return Map.of("event", "RunContent", "run_id", run, "content", word(number));
    }

    private static Map<String, Object> call(String id, @Nullable String result) {
        Map<String, Object> tool = new LinkedHashMap<>(Map.of("tool_call_id", id, "tool_name", "look"));
        tool.put("result", result);
        return Map.of("event", result == null ? "ToolCallStarted" : "ToolCallCompleted", "run_id", "r1", "tool", tool);
    }

    private static long next(JsonNode standing) {
        return standing.get("next").asLong();
    }

    private JsonNode post(ServerProcess server, String run, long first, Map<String, Object> event) throws Exception {
        return post(server, 1, run, first, event);
    }

    private JsonNode post(ServerProcess server, int epoch, String run, long first, Map<String, Object> event)
            throws Exception {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("first", first, "events", List.of(event)));
        if (first > 0) {
            body.put("epoch", epoch);
        }
        return send(server, "POST", "/api/v1/sessions/" + session + "/runs/" + run + "/events", body);
    }

    /** Sends as the local user, who needs no token. */
    private static JsonNode send(ServerProcess server, String method, String path, @Nullable Object body)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                    .timeout(LIMIT)
                    .header("Content-Type", "application/json")
                    .method(
                            method,
                            body == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body)))
                    .build();
            var answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return Json.MAPPER.readTree(answer.body());
        }
    }

    private static ServerProcess start(Path data, TestDatabase database) throws IOException {
        return ServerProcess.start(
                data,
                "--database-url",
                database.address().jdbcUrl(),
                "--database-user",
                database.address().user(),
                "--database-password",
                database.address().password());
    }
}
