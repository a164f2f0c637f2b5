package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A user who talks to any of the nodes. */
record Talker(UUID id, String name) {
    static final Duration LIMIT = Duration.ofSeconds(60);
    static final String THREADS = "/api/v1/chat/threads";

    static Talker somebody(String name) {
        return new Talker(UUID.randomUUID(), name);
    }

    Api on(Nodes.Node node) {
        return node.api(id, name);
    }

    static JsonNode must(Api.Reply reply) {
        assertThat(reply.status()).as("%s", reply).isLessThan(300);
        return reply.json();
    }

    static String json(Map<String, ?> body) {
        return Json.MAPPER.writeValueAsString(body);
    }

    String newThread(Nodes.Node node, Talker... others) {
        List<String> participants =
                List.of(others).stream().map(other -> "user:" + other.id()).toList();
        return must(on(node).post(THREADS, json(Map.of("title", "a thread", "participants", participants))))
                .path("thread_id")
                .asString();
    }

    Api.Reply post(Nodes.Node node, String thread, String key, String text) {
        return on(node).post(
                        THREADS + "/" + thread + "/messages", json(Map.of("content", text, "client_message_id", key)));
    }

    Api.Reply startRun(Nodes.Node node, String thread, String run, String text) {
        return on(node).post(
                        "/api/v1/agent/runs",
                        json(Map.of(
                                "threadId",
                                thread,
                                "runId",
                                run,
                                "messages",
                                List.of(Map.of("id", "msg-" + run, "role", "user", "content", text)))));
    }

    JsonNode run(Nodes.Node node, String thread, String run) {
        return must(on(node).get("/api/v1/agent/threads/" + thread + "/runs/" + run));
    }

    JsonNode awaitState(Nodes.Node node, String thread, String run, String... states) {
        await().atMost(LIMIT)
                .until(() -> List.of(states)
                        .contains(run(node, thread, run).path("state").asString()));
        return run(node, thread, run);
    }

    /** Follows a thread on a node, after a cursor. */
    StreamTap follow(Nodes.Node node, String thread, String after) {
        return StreamTap.open(
                node.uri(), THREADS + "/" + thread + "/events/stream?after_seq=" + after, node.token(id, name));
    }

    /** Follows a run on a node, after a cursor. */
    StreamTap followRun(Nodes.Node node, String thread, String run, String after) {
        return StreamTap.open(
                node.uri(),
                "/api/v1/agent/runs/" + thread + "/events?runId=" + run + (after.isEmpty() ? "" : "&after=" + after),
                node.token(id, name));
    }
}
