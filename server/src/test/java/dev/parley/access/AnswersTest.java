package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.ApiSchemas;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Answers beyond those to the document's examples: they too are what the document says. */
class AnswersTest {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String THREADS = "/api/v1/chat/threads";

    private static RunningServer server;
    private static Calls api;
    private static String ada;
    private static String bob;
    private static UUID bobId;
    private static String agent;
    private static String agentToken;
    private String thread;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        api = new Calls(server.uri());
        bobId = UUID.randomUUID();
        ada = server.token(UUID.randomUUID(), "Ada");
        bob = server.token(bobId, "Bob");
        agent = api.must("POST", "/api/v1/owner/agents", ada, Map.of("display_name", "Builder"))
                .path("agent_id")
                .asString();
        agentToken = api.must("POST", World.TOKENS, ada, Map.of("agent_actor_id", agent))
                .path("raw_token")
                .asString();
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
    }

    @BeforeEach
    void makeThread() {
        thread = THREADS + "/"
                + call(
                                "createThread",
                                "POST",
                                THREADS,
                                ada,
                                Map.of("participants", List.of("user:" + bobId, "agent:" + agent)))
                        .path("thread_id")
                        .asString();
    }

    /** Calls, and compares what comes with the document. */
    private static JsonNode call(String operation, String method, String path, String credential, Object body) {
        Calls.Got got = api.call(method, path, credential, body.equals("") ? "" : Json.MAPPER.writeValueAsString(body));
        assertThat(SCHEMAS.faults(described(operation), got.status(), got.contentType(), got.body()))
                .as(operation + " " + got)
                .isEmpty();
        return got.body().isEmpty() ? Json.MAPPER.createObjectNode() : got.json();
    }

    private static ApiDocument.Operation described(String id) {
        return DOCUMENT.operations()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode post(String credential, String text, String key) {
        return call(
                "postMessage",
                "POST",
                thread + "/messages",
                credential,
                Map.of("content", text, "client_message_id", key));
    }

    @Test
    void repeatedAndReusedKeys() {
        assertThat(post(ada, "hello", "k").path("duplicate").asBoolean()).isFalse();
        assertThat(post(ada, "hello", "k").path("duplicate").asBoolean()).isTrue();
        assertThat(post(ada, "other", "k").path("code").asString()).isEqualTo("CONFLICT");
    }

    @Test
    void aStaleAnswerIsToldWhatItMissed() {
        post(bob, "first", "1");
        post(bob, "second", "2");
        Map<String, Object> answer = new HashMap<>(Map.of("content", "late", "base_seq", 1, "on_stale", "reject"));

        JsonNode refused = call("postAgentMessage", "POST", thread + "/agent-messages", agentToken, answer);
        answer.put("on_stale", "accept");
        JsonNode taken = call("postAgentMessage", "POST", thread + "/agent-messages", agentToken, answer);

        assertThat(refused.path("current_seq").asInt()).isEqualTo(2);
        assertThat(refused.path("stale_lag").asInt()).isEqualTo(1);
        assertThat(refused.path("missed_messages").path(0).path("content").asString())
                .isEqualTo("second");
        assertThat(taken.path("stale").asBoolean()).isTrue();
        assertThat(taken.path("thread_seq").asInt()).isEqualTo(3);
    }

    @Test
    void revisionsInEveryList() {
        String id = post(ada, "hello", "k").path("id").asString();
        call("editMessage", "PATCH", thread + "/messages/" + id, ada, Map.of("content", "hello again"));
        call("react", "PUT", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob, "");
        call("unreact", "DELETE", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob, "");
        call("react", "PUT", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob, "");

        JsonNode message = call("listMessages", "GET", thread + "/messages", ada, "")
                .path("messages")
                .path(0);
        assertThat(message.path("content").asString()).isEqualTo("hello again");
        assertThat(message.path("reactions").size()).isEqualTo(1);
        assertThat(call("listMessages", "GET", thread + "/messages?revisions=raw", ada, "")
                        .path("entries")
                        .size())
                .isEqualTo(5);
        call("deleteMessage", "DELETE", thread + "/messages/" + id, ada, "");
        call("listMessages", "GET", thread + "/messages", ada, "");
        JsonNode events =
                call("pollEvents", "GET", thread + "/events", agentToken, "").path("events");
        // The message named the thread, and took its name away again.
        assertThat(events.size()).isEqualTo(8);
        assertThat(events.path(0).path("should_respond").asBoolean()).isTrue();
    }

    @Test
    void refusalsOfEveryKind() {
        assertThat(refusal(call("listMessages", "GET", thread + "/messages?limit=0", ada, "")))
                .isEqualTo(400);
        assertThat(refusal(call("pollEvents", "GET", thread + "/events?after_seq=99", ada, "")))
                .isEqualTo(400);
        assertThat(refusal(call("listThreads", "GET", THREADS + "?cursor=x", ada, "")))
                .isEqualTo(400);
        assertThat(refusal(call("editMessage", "PATCH", thread + "/messages/none", ada, Map.of("content", "x"))))
                .isEqualTo(404);
        assertThat(refusal(call("removeParticipant", "DELETE", thread + "/participants/user:nobody", ada, "")))
                .isEqualTo(404);
        call("archiveThread", "PATCH", thread + "/archive", ada, "");
        assertThat(refusal(post(ada, "too late", "late"))).isEqualTo(409);
        call("createToken", "POST", World.TOKENS, ada, Map.of("agent_actor_id", agent));
        assertThat(refusal(call("createToken", "POST", World.TOKENS, ada, Map.of("agent_actor_id", agent))))
                .isEqualTo(409);
        assertThat(refusal(call("createTicket", "POST", "/api/v1/auth/stream-tickets", ada, Map.of("path", "/"))))
                .isEqualTo(400);
    }

    private static int refusal(JsonNode problem) {
        return problem.path("status").asInt();
    }

    @Test
    void framesOfStreams() {
        try (Calls.Followed follower = api.follow(thread + "/events/stream?after_seq=0", agentToken);
                Calls.Followed inbox = api.follow("/api/v1/chat/inbox/stream", agentToken)) {
            String id = post(ada, "hello", "k").path("id").asString();
            call("deleteMessage", "DELETE", thread + "/messages/" + id, ada, "");
            call("renameThread", "PATCH", thread, ada, Map.of("title", "Another"));
            await().atMost(LIMIT)
                    .until(() -> names(follower)
                            .containsAll(Set.of("message_committed", "message_revised", "thread_updated")));
            call("typing", "POST", thread + "/typing", ada, "");
            await().atMost(LIMIT).until(() -> names(follower).contains("typing"));
            post(ada, "again", "k2");
            await().atMost(LIMIT).until(() -> names(inbox).contains("thread_changed"));

            assertFit("streamEvents", follower);
            assertFit("streamInbox", inbox);
        }
    }

    private static Set<String> names(Calls.Followed stream) {
        return stream.frames.stream().map(Calls.Frame::event).collect(Collectors.toSet());
    }

    private static void assertFit(String operation, Calls.Followed stream) {
        JsonNode schemas = described(operation).node().at("/responses/200/content/text~1event-stream/x-parley-frames");
        assertThat(stream.frames).isNotEmpty().allSatisfy(frame -> {
            assertThat(schemas.has(frame.event())).as(frame.event()).isTrue();
            assertThat(SCHEMAS.faults(schemas.path(frame.event()), frame.data()))
                    .isEmpty();
            assertThat(frame.id()).isEqualTo(frame.data().path("event_id").asString(""));
        });
    }
}
