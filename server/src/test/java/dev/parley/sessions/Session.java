package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** One session of one caller; each test has its own. */
record Session(Api api, String id) {
    static final String ALL = "/api/v1/sessions/";
    static final String COMPLETED = "{\"event\":\"RunCompleted\"}";

    static RunningServer start(String... flags) {
        String[] all = new String[flags.length + 2];
        all[0] = "--rate-limits";
        all[1] = "off";
        System.arraycopy(flags, 0, all, 2, flags.length);
        return RunningServer.start(all);
    }

    /** A session of a new caller. */
    static Session fresh(RunningServer server) {
        return new Session(server.api(UUID.randomUUID(), "Olivia"), "session-" + UUID.randomUUID());
    }

    Session as(Api other) {
        return new Session(other, id);
    }

    String path(String rest) {
        return ALL + id + rest;
    }

    Api.Reply append(String body) {
        return api.post(path("/chat-events"), body);
    }

    /** A message without a wrapper. */
    Api.Reply say(String message) {
        return append("{\"message\":" + message + "}");
    }

    Api.Reply say(List<String> messages) {
        return append("{\"chat_events\":["
                + String.join(
                        ",",
                        messages.stream()
                                .map(each -> "{\"message\":" + each + "}")
                                .toList()) + "]}");
    }

    static String user(String id, String content) {
        return "{\"id\":\"%s\",\"content\":\"%s\",\"role\":\"user\"}".formatted(id, content);
    }

    /** A piece of streamed text. */
    static String content(String delta) {
        return "{\"event\":\"RunContent\",\"content\":\"" + delta + "\"}";
    }

    static String answer(String id, String text) {
        return "{\"id\":\"%s\",\"role\":\"assistant\",\"content\":\"%s\"}".formatted(id, text);
    }

    /** Streams events of a run of the agent Weather. */
    void stream(String run, int first, String... events) {
        Api.Reply reply = api.post(
                path("/runs/" + run + "/events"),
                "{%s\"first\":%d,\"agent_name\":\"Weather\",\"events\":[%s]}"
                        .formatted(first == 0 ? "" : "\"epoch\":1,", first, String.join(",", events)));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }

    /** Posts a message of a run of the agent Weather. */
    Api.Reply tell(String run, String message) {
        return append("{\"agent_name\":\"Weather\",\"run_id\":\"" + run + "\",\"message\":" + message + "}");
    }

    /** The messages as they are served, byte for byte. */
    String messages(String query) {
        Api.Reply reply = api.get(path("/messages" + query));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.answer().text();
    }

    JsonNode rows() {
        Api.Reply reply = api.get(path("/chat-events?limit=200"));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json().path("chat_events");
    }

    /** The same conversation on the chat face. */
    JsonNode chat() {
        String thread = thread();
        return api.get("/api/v1/chat/threads/" + thread + "/messages?limit=200")
                .json()
                .path("messages");
    }

    List<String> contents() {
        return chat().valueStream().map(each -> each.path("content").asString()).toList();
    }

    String thread() {
        return api.get("/api/v1/chat/threads")
                .json()
                .path("threads")
                .get(0)
                .path("thread_id")
                .asString();
    }
}
