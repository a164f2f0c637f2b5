package dev.parley.bench.sessions;

import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An Agno client that tells of its messages, a person's and an agent's by turns. */
final class SessionClient implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int AT_ONCE = 500;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final URI server;
    private final String token;
    private int said;

    SessionClient(URI server, Accounts.User user) {
        this.server = server;
        this.token = user.token();
    }

    /** Many messages, as many at once as it likes. */
    void fill(String session, int messages) {
        for (int done = 0; done < messages; done += AT_ONCE) {
            post(session, Math.min(AT_ONCE, messages - done));
        }
    }

    /** Messages one after the other. */
    void append(String session, int messages) {
        for (int i = 0; i < messages; i++) {
            post(session, 1);
        }
    }

    private void post(String session, int messages) {
        List<Map<String, Object>> events = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            events.add(event());
        }
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/api/v1/sessions/" + session + "/chat-events"))
                .timeout(LIMIT)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        Json.MAPPER.writeValueAsBytes(Map.of("chat_events", events))))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                throw new IllegalStateException("Messages were not taken: " + answer.body());
            }
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in the middle of a session", e);
        }
    }

    private Map<String, Object> event() {
        boolean agent = said++ % 2 == 1;
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", UUID.randomUUID().toString());
        message.put("content", ("message " + said + ", which says something of the weather. ").repeat(8));
        message.put("from_history", false);
        message.put("stop_after_tool_call", false);
        message.put("role", agent ? "assistant" : "user");
        message.put("created_at", 1_765_280_936 + said);
        return agent
                ? Map.of("message", message, "agent_name", "Forecaster", "run_id", "run-" + said)
                : Map.of("message", message);
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
