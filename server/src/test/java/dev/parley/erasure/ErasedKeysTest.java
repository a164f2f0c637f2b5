package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.erasure.ErasingServer.Person;
import dev.parley.testing.Api;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A key outlives the erased message: a retry gets the tombstone, whatever its body, on every face. */
class ErasedKeysTest {
    private static final ErasingServer SERVER = ErasingServer.start();

    private final Person ada = SERVER.person("Ada");
    private final String thread = ErasingServer.thread(ada, ErasingServer.DEMO);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private Api.Reply post(Person author, String text, String key) {
        return author.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        json(Map.of("content", text, "client_message_id", key)));
    }

    private long entries(String of) {
        return SERVER.running().count("select count(*) from entries where thread_id = '" + of + "'");
    }

    @Test
    void keyOfAChatMessage() {
        JsonNode first = must(post(ada, "the first words", "k"));
        SERVER.awaitQuiet(thread);
        SERVER.erase(Map.of("thread_id", thread));
        long before = entries(thread);

        for (String text : List.of("the first words", "other words", "其他的话 🦄")) {
            Api.Reply again = post(ada, text, "k");

            assertThat(again.status()).isEqualTo(200);
            assertThat(again.text("id")).isEqualTo(first.path("id").asString());
            assertThat(again.json().path("thread_seq")).isEqualTo(first.path("thread_seq"));
            assertThat(again.text("content")).isEmpty();
            assertThat(again.json().path("duplicate").asBoolean()).isTrue();
            assertThat(again.json().path("erased_at").isNull()).isFalse();
            assertThat(again.json().path("metadata").isNull()).isTrue();
        }
        assertThat(entries(thread)).isEqualTo(before);
    }

    @Test
    void keyOfARun() {
        JsonNode first = must(ada.api().post("/api/v1/agent/runs", json(ErasingServer.input(thread, "r", "Hello"))));
        SERVER.awaitRun(thread, "r");
        SERVER.erase(Map.of("thread_id", thread));
        long before = entries(thread);

        Api.Reply again =
                ada.api().post("/api/v1/agent/runs", json(ErasingServer.input(thread, "r", "Something else")));

        assertThat(again.status()).as(again.toString()).isEqualTo(202);
        assertThat(again.text("taskId")).isEqualTo(first.path("taskId").asString());
        assertThat(entries(thread)).isEqualTo(before);
    }

    @Test
    void runOfAnotherCallerStaysTheirs() {
        Person bob = SERVER.person("Bob");
        String together = ErasingServer.thread(ada, bob.actor(), ErasingServer.DEMO);
        SERVER.run(ada, together, "r", "Hello");
        SERVER.erase(Map.of("thread_id", together));

        Api.Reply other = bob.api().post("/api/v1/agent/runs", json(ErasingServer.input(together, "r", "Hello")));

        assertThat(other.status()).as(other.toString()).isBetween(400, 499);
    }

    @Test
    void keyOfASessionMessage() {
        String session = "/api/v1/sessions/" + thread + "/chat-events";
        String body = "{\"message\":{\"id\":\"s1\",\"role\":\"user\",\"content\":\"%s\"}}";
        must(ada.api().post(session, body.formatted("the first words")));
        SERVER.erase(Map.of("thread_id", thread));
        long before = entries(thread);

        Api.Reply again = ada.api().post(session, body.formatted("other words"));

        assertThat(again.status()).as(again.toString()).isEqualTo(200);
        assertThat(again.toString()).doesNotContain("words");
        assertThat(entries(thread)).isEqualTo(before);
        assertThat(must(ada.api().get("/api/v1/sessions/" + thread + "/messages"))
                        .toString())
                .doesNotContain("words");
    }

    @Test
    void keyOfAnotherFacesMessagePostedByASession() {
        String id = must(post(ada, "the first words", "k")).path("id").asString();
        SERVER.awaitQuiet(thread);
        SERVER.erase(Map.of("thread_id", thread));
        long before = entries(thread);

        Api.Reply again = ada.api()
                .post(
                        "/api/v1/sessions/" + thread + "/chat-events",
                        "{\"message\":{\"id\":\"%s\",\"role\":\"user\",\"content\":\"the first words\"}}"
                                .formatted(id));

        assertThat(again.status()).as(again.toString()).isEqualTo(200);
        assertThat(entries(thread)).isEqualTo(before);
    }

    @Test
    void conversationResentByAnAguiClient() {
        String agui = "/api/v1/agui";
        String secret = "the first words " + UUID.randomUUID();
        Map<String, Object> first = Map.of(
                "threadId",
                thread,
                "runId",
                "a1",
                "messages",
                List.of(Map.of("id", "q1", "role", "user", "content", secret)),
                "state",
                Map.of(),
                "tools",
                List.of(),
                "context",
                List.of(),
                "forwardedProps",
                Map.of());
        assertThat(ada.api().post(agui, json(first)).status()).isEqualTo(200);
        SERVER.awaitRun(thread, "a1");
        SERVER.erase(Map.of("thread_id", thread));
        Map<String, Object> second = new HashMap<>(first);
        second.put("runId", "a2");
        second.put(
                "messages",
                List.of(
                        Map.of("id", "q1", "role", "user", "content", secret),
                        Map.of("id", "q2", "role", "user", "content", "and now?")));

        Api.Reply answer = ada.api().post(agui, json(second));
        SERVER.awaitRun(thread, "a2");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(SERVER.running()
                        .select("select content from entries where thread_id = '%s' and role = 'user' order by seq"
                                .formatted(thread)))
                .containsExactly("", "and now?");
        assertThat(SERVER.holding(secret)).isEmpty();
    }

    @Test
    void tombstoneCannotBeChanged() {
        String id = must(post(ada, "the first words", "k")).path("id").asString();
        SERVER.awaitQuiet(thread);
        SERVER.erase(Map.of("thread_id", thread));
        String message = "/api/v1/chat/threads/" + thread + "/messages/" + id;

        List<Api.Reply> refused = List.of(
                ada.api().patch(message, json(Map.of("content", "again"))),
                ada.api().delete(message),
                ada.api().send("PUT", message + "/reactions/%F0%9F%A6%84", null));

        assertThat(refused).allSatisfy(reply -> assertThat(reply.problem()).hasValue("message-not-found"));
        assertThat(must(ada.api()
                                .post(
                                        "/api/v1/chat/threads/" + thread + "/messages",
                                        json(Map.of("content", "an answer to nothing", "reply_to", id))))
                        .path("reply_to")
                        .asString())
                .isEqualTo(id);
    }

    @Test
    void erasureIsRequestedOncePerKey() {
        String body = json(Map.of("actor", "slack:" + UUID.randomUUID()));
        String key = "Idempotency-Key: " + UUID.randomUUID();

        Api.Reply first = SERVER.operator().post("/api/v1/operator/erasures", body, key);
        Api.Reply again = SERVER.operator().post("/api/v1/operator/erasures", body, key);
        Api.Reply other = SERVER.operator().post("/api/v1/operator/erasures", json(Map.of("thread_id", thread)), key);

        assertThat(first.status()).isEqualTo(202);
        assertThat(again.text("erasure_id")).isEqualTo(first.text("erasure_id"));
        assertThat(other.problem()).hasValue("key-reused");
    }
}
