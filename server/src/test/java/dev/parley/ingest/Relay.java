package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Sources;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An integration that submits a platform's messages, each test in a channel of its own. */
record Relay(RunningServer server, Api api, String source, String channel) {
    static final UUID OPERATOR = UUID.randomUUID();
    static final String DEMO = "00000000-0000-7000-8000-0000000000de";
    static final String CHAT = "/api/v1/ingest/chat";

    static RunningServer start(String... flags) {
        String[] all = new String[flags.length + 4];
        all[0] = "--operators";
        all[1] = OPERATOR.toString();
        all[2] = "--rate-limits";
        all[3] = "off";
        System.arraycopy(flags, 0, all, 4, flags.length);
        return RunningServer.start(all);
    }

    static Api operator(RunningServer server) {
        return server.api(OPERATOR, "Root");
    }

    /** A relay with a key that the operator makes. */
    static Relay of(RunningServer server, String source) {
        Api.Reply key = operator(server).post("/api/v1/operator/integration-keys", "{\"source\":\"" + source + "\"}");
        return new Relay(server, server.api(key.text("raw_key")), source, "C" + UUID.randomUUID());
    }

    Relay elsewhere() {
        return new Relay(server, api, source, "C" + UUID.randomUUID());
    }

    ObjectNode metadata() {
        return Json.MAPPER
                .createObjectNode()
                .put("source", source)
                .put("sender_id", Sources.prefixOf(source) + ":U06STGBF4Q0")
                .put("sender_display_name", "Olivia")
                .put("sender_type", "human")
                .put("channel_external_id", channel);
    }

    ObjectNode body(String text) {
        return body(text, metadata());
    }

    static ObjectNode body(String text, ObjectNode metadata) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("message", text);
        body.set("msg_metadata", metadata);
        return body;
    }

    Api.Reply submit(ObjectNode body) {
        return api.post(CHAT, body.toString());
    }

    /** Submits a new message. */
    JsonNode bring(ObjectNode body) {
        Api.Reply reply = submit(body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
        assertThat(reply.json().path("duplicate").asBoolean()).isFalse();
        return reply.json();
    }

    JsonNode bring(String text) {
        return bring(body(text));
    }

    /** Submits a message that was submitted before. */
    JsonNode bringAgain(ObjectNode body) {
        Api.Reply reply = submit(body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(reply.json().path("duplicate").asBoolean()).isTrue();
        return reply.json();
    }

    static String thread(JsonNode answer) {
        return "/api/v1/chat/threads/" + answer.path("session_id").asString();
    }

    /** The thread's messages as the key's owner reads them. */
    JsonNode messages(JsonNode answer) {
        return operator(server).get(thread(answer) + "/messages").json().path("messages");
    }

    long countOf(String table, JsonNode answer) {
        return server.count("select count(*) from " + table + " where thread_id = '"
                + answer.path("session_id").asString() + "'");
    }
}
