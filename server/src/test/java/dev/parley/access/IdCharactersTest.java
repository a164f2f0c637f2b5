package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** An id with a control character is refused on every face: no path could contain it. */
class IdCharactersTest {
    private static final String KEY = "k".repeat(32);

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits", "off", "--operators", UUID.randomUUID().toString(), "--integration-keys", "relay=" + KEY);

    private final Api olivia = server.api(UUID.randomUUID(), "Olivia");
    private final String thread = olivia.post("/api/v1/chat/threads", "{}").text("thread_id");

    private static void refuse(Api.Reply reply, String field) {
        assertThat(reply.status()).as(field + " " + reply).isEqualTo(400);
        assertThat(reply.problem()).contains("invalid-fields");
        assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({"runId, a\\nb, m", "messages[0].id, r, a\\u001fb", "runId, a\\u0085b, m", "runId, \\t, m"})
    void idsOfRuns(String field, String run, String message) {
        String body = """
                {"threadId":"%s","runId":"%s","tools":[],"context":[],"state":{},"forwardedProps":{},
                 "messages":[{"id":"%s","role":"user","content":"hello"}]}""".formatted(thread, run, message);

        refuse(olivia.post("/api/v1/agent/runs", body), field);
        refuse(olivia.post("/api/v1/agui", body), field);
    }

    @Test
    void idOfAnAguiThread() {
        refuse(olivia.post("/api/v1/agui", """
                        {"threadId":"a\\nb","runId":"r","tools":[],"context":[],"state":{},"forwardedProps":{},
                         "messages":[{"id":"m","role":"user","content":"hello"}]}"""), "threadId");
    }

    @ParameterizedTest
    @CsvSource({"client_message_id", "reply_to"})
    void idsOfChatMessages(String field) {
        refuse(
                olivia.post(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        "{\"content\":\"x\",\"" + field + "\":\"a\\nb\"}"),
                field);
    }

    @Test
    void senderIds() {
        refuse(
                olivia.post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"relay:a\\nb\"]}"),
                "sender_ids[0]");
    }

    @ParameterizedTest
    @CsvSource({"run_id", "parent_run_id", "agent_id", "user_id"})
    void idsOfSessions(String field) {
        refuse(
                olivia.post(
                        "/api/v1/sessions/" + thread + "/chat-events",
                        "{\"message\":{\"id\":\"m\",\"role\":\"user\",\"content\":\"x\"},\"" + field + "\":\"a\\nb\"}"),
                field);
    }

    @Test
    void idsOfSessionMessages() {
        refuse(
                olivia.post(
                        "/api/v1/sessions/" + thread + "/chat-events",
                        "{\"message\":{\"id\":\"a\\nb\",\"role\":\"user\",\"content\":\"x\"}}"),
                "message.id");
    }

    @Test
    void idsInEventsOfDrivers() {
        String agent = olivia.post("/api/v1/owner/agents", "{}").text("agent_id");
        olivia.post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        Api driver = server.api(olivia.post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"run\"]}")
                .text("raw_token"));

        refuse(driver.post("/api/v1/agent/threads/" + thread + "/runs/r/events", """
                        {"first":0,"events":[{"type":"TEXT_MESSAGE_START","messageId":"a\\nb"}]}"""), "events[0].messageId");
    }

    @ParameterizedTest
    @CsvSource({"external_message_id", "external_thread_id", "channel_external_id", "sender_id"})
    void idsOfPlatforms(String field) {
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("source", "relay")
                .put("sender_id", "relay:u")
                .put("sender_display_name", "U")
                .put("sender_type", "human")
                .put("channel_external_id", "c")
                .put(field, field.equals("sender_id") ? "relay:a\nb" : "a\nb");
        ObjectNode body = Json.MAPPER.createObjectNode().put("message", "x").set("msg_metadata", metadata);

        refuse(server.api(KEY).post("/api/v1/ingest/chat", body.toString()), "msg_metadata." + field);
    }

    @Test
    void runOfAnAttachment() {
        refuse(
                Form.file("a.png", "image/png", SampleImages.png(2, 2))
                        .field("runId", "a\nb")
                        .uploadBy(olivia),
                "runId");
    }

    @Test
    void creationKeys() {
        refuse(olivia.post("/api/v1/chat/threads", "{}", "Idempotency-Key: a\tb"), "Idempotency-Key");
    }
}
