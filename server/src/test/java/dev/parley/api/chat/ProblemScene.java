package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/**
 * A thread of Olivia on a server, and her requests with exactly the given bytes.
 *
 * @param thread the path of the thread
 */
record ProblemScene(RunningServer server, String thread) {
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final UUID OLIVIA = UUID.randomUUID();
    static final String HELLO = "{\"content\":\"hello\"}";

    static ProblemScene withNewThread(RunningServer server) {
        try (Parley olivia = server.as(OLIVIA, "Olivia")) {
            return new ProblemScene(
                    server, path(olivia.createThread(NewThread.EMPTY).threadId().value()));
        }
    }

    /** The same thread on another server. */
    ProblemScene on(RunningServer other) {
        return new ProblemScene(other, thread);
    }

    static String path(UUID thread) {
        return "/api/v1/chat/threads/" + thread;
    }

    String threadId() {
        return thread.substring(thread.lastIndexOf('/') + 1);
    }

    RawAnswer post(String body) throws IOException {
        return postTo(thread + "/messages", body);
    }

    RawAnswer postTo(String path, String body) throws IOException {
        return call("POST", path, "Content-Length: " + body.length() + "\r\n", body);
    }

    /** Posts a message with the given headers. */
    RawAnswer postWith(String headers, String body) throws IOException {
        return call("POST", thread + "/messages", headers, body);
    }

    RawAnswer delete(String path) throws IOException {
        return call("DELETE", path, "", "");
    }

    RawAnswer get(String path) throws IOException {
        return call("GET", path, "", "");
    }

    RawAnswer call(String method, String path, String headers, String body) throws IOException {
        return send(request(method, path, headers, body));
    }

    String request(String method, String path, String headers, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + server.uri().getAuthority() + "\r\nAuthorization: Bearer "
                + server.token(OLIVIA, "Olivia")
                + "\r\n" + headers + "\r\n" + body;
    }

    RawAnswer send(String request) throws IOException {
        return RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.ISO_8859_1), LIMIT);
    }

    /** Makes an agent of Olivia; the result is its id. */
    String makeAgent() throws IOException {
        RawAnswer made = postTo("/api/v1/owner/agents", "{\"display_name\":\"Agent\"}");
        return Json.MAPPER.readTree(made.body()).get("agent_id").asString();
    }

    RawAnswer startRun(String name, String text, String strategy) throws IOException {
        return postTo("/api/v1/agent/runs", """
                {"threadId":"%s","runId":"%s","messages":[{"id":"m","role":"user","content":"%s"}],
                "forwardedProps":{"multitaskStrategy":"%s"}}""".formatted(threadId(), name, text, strategy));
    }

    /** Posts to a run of an external agent, which has taken one event. */
    RawAnswer drive(String post) throws IOException {
        String agent = makeAgent();
        String made = postTo(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\",\"run\"]}")
                .text();
        postTo(thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        Api api = server.api(Json.MAPPER.readTree(made).get("raw_token").asString());
        String path = "/api/v1/agent/threads/" + threadId() + "/runs/driven/events";
        assertThat(api.post(path, """
                        {"first":0,"events":[{"type":"STEP_STARTED","stepName":"s"}]}""").status()).isEqualTo(200);
        return api.post(path, post).answer();
    }

    /** Posts a message to a session as an agent; the agent's name is also the message's id. */
    RawAnswer postToSession(String agent, String members) throws IOException {
        return postTo(
                "/api/v1/sessions/small/chat-events",
                "{\"agent_name\":\"%1$s\",\"message\":{\"id\":\"%1$s\",\"role\":\"assistant\",%2$s}}"
                        .formatted(agent, members));
    }

    static String object(String name) {
        return "/storage/v1/object/agent-files/agent-inputs/" + OLIVIA + "/" + name;
    }

    RawAnswer upload(String name) throws IOException {
        return call("POST", object(name), "Content-Type: text/plain\r\nContent-Length: 2\r\n", "hi");
    }

    /** The number of commands that wait for the lane. */
    double waiting() throws IOException {
        return metric("parley_lane_queue");
    }

    /** The number of requests under way; the request that asks counts as well. */
    double inFlight() throws IOException {
        return metric("parley_http_in_flight");
    }

    private double metric(String name) throws IOException {
        return get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no metric " + name));
    }
}
