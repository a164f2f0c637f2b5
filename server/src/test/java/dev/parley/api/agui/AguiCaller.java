package dev.parley.api.agui;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A user whose client speaks AG-UI: sends inputs, and reads streams to their end. */
record AguiCaller(RunningServer server, UUID user, Api api) {
    static final String RUN = "/api/v1/agui";
    static final String CONNECT = "/api/v1/agui/agent/default/connect";

    static AguiCaller somebody(RunningServer server) {
        UUID user = UUID.randomUUID();
        return new AguiCaller(server, user, server.api(user, "Somebody"));
    }

    static Map<String, Object> user(String id, Object content) {
        return message(id, "user", content);
    }

    static Map<String, Object> tool(String id, String call, Object content) {
        Map<String, Object> message = message(id, "tool", content);
        message.put("toolCallId", call);
        return message;
    }

    static Map<String, Object> message(String id, String role, Object content) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("role", role);
        message.put("content", content);
        return message;
    }

    /** The input of a client of 1.0. */
    static Map<String, Object> input(String thread, String run, Object... messages) {
        Map<String, Object> input = older(thread, run, messages);
        input.put("protocolVersion", "1.0");
        return input;
    }

    /** The input of a client before 1.0. */
    static Map<String, Object> older(String thread, String run, Object... messages) {
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("threadId", thread);
        input.put("runId", run);
        input.put("state", Map.of());
        input.put("messages", List.of(messages));
        input.put("tools", List.of());
        input.put("context", List.of());
        input.put("forwardedProps", Map.of());
        return input;
    }

    static Map<String, Object> with(Map<String, Object> input, String member, Object value) {
        Map<String, Object> other = new LinkedHashMap<>(input);
        other.put(member, value);
        return other;
    }

    Api.Reply post(Map<String, Object> input) {
        return post(RUN, input);
    }

    Api.Reply post(String path, Map<String, Object> input) {
        return api.post(path, Json.MAPPER.writeValueAsString(input));
    }

    /** A stream from its first event to its last. */
    List<JsonNode> run(Map<String, Object> input) {
        return events(post(input));
    }

    List<JsonNode> run(String thread, String run, Object... messages) {
        return run(input(thread, run, messages));
    }

    List<JsonNode> connect(String thread, Object... messages) {
        return events(post(CONNECT, input(thread, "connect-" + UUID.randomUUID(), messages)));
    }

    static List<JsonNode> events(Api.Reply reply) {
        if (reply.status() != 200) {
            throw new AssertionError(reply.toString());
        }
        List<JsonNode> events = new ArrayList<>();
        for (String line : reply.answer().text().split("\n")) {
            if (line.startsWith("data:")) {
                events.add(Json.MAPPER.readTree(line.substring(5)));
            }
        }
        return events;
    }

    Live open(Map<String, Object> input) {
        return open(RUN, input);
    }

    Live open(String path, Map<String, Object> input) {
        return Live.open(server.uri().resolve(path), String.valueOf(api.credential()), input);
    }

    /** All entries of a thread's log, as the chat face shows them. */
    List<JsonNode> log(String thread) {
        return api.get("/api/v1/chat/threads/" + thread + "/messages?limit=200")
                .json()
                .get("messages")
                .valueStream()
                .toList();
    }

    List<String> said(String thread) {
        return log(thread).stream()
                .map(message -> message.path("content").asString(""))
                .toList();
    }

    List<JsonNode> runs(String thread) {
        return api.get("/api/v1/agent/threads/" + thread + "/runs")
                .json()
                .get("runs")
                .valueStream()
                .toList();
    }

    JsonNode state(String thread) {
        return api.get("/api/v1/agent/threads/" + thread + "/state").json();
    }

    static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.get("type").asString()).toList();
    }

    static JsonNode only(List<JsonNode> events, String type) {
        List<JsonNode> found = events.stream()
                .filter(event -> event.get("type").asString().equals(type))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(type + " is there " + found.size() + " times: " + events);
        }
        return found.getFirst();
    }

    /** The ids of a snapshot's messages. */
    static List<String> shownIds(List<JsonNode> events) {
        return only(events, "MESSAGES_SNAPSHOT")
                .get("messages")
                .valueStream()
                .map(message -> message.get("id").asString())
                .toList();
    }
}
