package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.agents.Agents;
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
    private static final String SLACK_KEY = "a-key-of-the-slack-relay";
    private static final String THREADS = "/api/v1/chat/threads";

    private static RunningServer server;
    private static Calls api;
    private static String ada;
    private static String bob;
    private static UUID bobId;
    private static String agent;
    private static String agentToken;
    private static String driver;
    private static String runner;
    private String thread;

    @BeforeAll
    static void start() {
        server = RunningServer.start(
                "--operators", UUID.randomUUID().toString(), "--integration-keys", "slack=" + SLACK_KEY);
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
        driver = api.must("POST", "/api/v1/owner/agents", ada, Map.of("display_name", "Driver"))
                .path("agent_id")
                .asString();
        runner = api.must("POST", World.TOKENS, ada, Map.of("agent_actor_id", driver, "scopes", List.of("run")))
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
                                Map.of("participants", List.of("user:" + bobId, "agent:" + agent, "agent:" + driver)))
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
        // The message titled the thread; its deletion leaves the title.
        assertThat(events.size()).isEqualTo(7);
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

    @Test
    void runsFromTheirBeginningToTheirEnd() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String runs = "/api/v1/agent/threads/" + id + "/runs";
        try (Calls.Followed chat = api.follow(thread + "/events/stream?after_seq=0", agentToken);
                Calls.Followed all = api.follow("/api/v1/agent/runs/" + id + "/events?after=0", agentToken)) {
            call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "demo", "/team Is it green?"));
            try (Calls.Followed one = api.follow("/api/v1/agent/runs/" + id + "/events?runId=demo", ada)) {
                await().atMost(LIMIT).until(() -> names(one).contains("RUN_FINISHED"));
                assertFit("followRuns", one);
            }
            await().atMost(LIMIT).until(() -> names(all).contains("RUN_FINISHED"));
            await().atMost(LIMIT).until(() -> names(chat).contains("run_updated"));
            assertFit("followRuns", all);
            assertFit("streamEvents", chat);
        }
        assertThat(call("listRuns", "GET", runs, ada, "").path("runs").size()).isEqualTo(3);
        assertThat(call("showRun", "GET", runs + "/demo", ada, "").path("state").asString())
                .isEqualTo("completed");
        assertThat(call("showRunContext", "GET", runs + "/demo/context", ada, "")
                        .path("messages")
                        .size())
                .isPositive();
        assertThat(call("showRunContext", "GET", runs + "/demo/context?diff=demo", ada, "")
                        .path("added")
                        .size())
                .isZero();
        assertThat(refusal(call("showRunContext", "GET", runs + "/demo/context?request=9", ada, "")))
                .isEqualTo(404);
        assertThat(refusal(call("showRunContext", "GET", runs + "/demo/context?request=x", ada, "")))
                .isEqualTo(400);
        assertThat(call("cancelRun", "POST", runs + "/demo/cancel", ada, "")
                        .path("status")
                        .asString())
                .isEqualTo("finished");
        assertThat(call("cancelRun", "POST", runs + "/none/cancel", ada, "")
                        .path("status")
                        .asString())
                .isEqualTo("unknown");
        call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "failing", "/fail"));
        await().atMost(LIMIT)
                .until(() -> call("showRun", "GET", runs + "/failing", ada, "")
                        .path("error")
                        .path("code")
                        .asString("")
                        .equals("demo_failure"));
        call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "stating", "/state {\"a\": 1}"));
        await().atMost(LIMIT)
                .until(() -> call("showState", "GET", runs.replace("/runs", "/state"), ada, "")
                                .path("version")
                                .asInt()
                        > 0);
        call("pollEvents", "GET", thread + "/events", ada, "");
        call("listMessages", "GET", thread + "/messages", ada, "");
    }

    @Test
    void deliveriesOfEveryKind() {
        Map<String, Object> metadata = new HashMap<>(Map.of(
                "source", "slack",
                "sender_id", "slack:U1",
                "sender_display_name", "Olivia",
                "sender_type", "human",
                "external_message_id", "1"));
        Map<String, Object> body = new HashMap<>(Map.of("message", "hello", "msg_metadata", metadata));
        body.put("passive", true);
        assertThat(deliver(body).path("run_id").isNull()).isTrue();
        assertThat(deliver(body).path("duplicate").asBoolean()).isTrue();
        body.put("passive", false);
        body.put("bot_id", Agents.DEMO.value());
        assertThat(deliver(body).path("engagement").path("run").asBoolean()).isTrue();
        body.put("session_id", UUID.randomUUID().toString());
        assertThat(refusal(deliver(body))).isEqualTo(404);
        body.remove("session_id");
        metadata.put("sender_id", "user:" + bobId);
        assertThat(refusal(deliver(body))).isEqualTo(400);
        metadata.put("source", "relay");
        metadata.put("sender_id", "relay:U1");
        assertThat(refusal(deliver(body))).isEqualTo(403);
    }

    private static JsonNode deliver(Map<String, Object> body) {
        return call("submitChat", "POST", "/api/v1/ingest/chat", SLACK_KEY, body);
    }

    @Test
    void historyOfEveryKind() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String history = "/api/v1/agent/history";
        assertThat(call("showHistory", "GET", history, server.token(UUID.randomUUID(), "Nobody"), "")
                        .path("threadId")
                        .isNull())
                .isTrue();
        post(bob, "hello", "k");
        call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "card", "weather in Lisbon"));
        await().atMost(LIMIT)
                .until(() -> call("showHistory", "GET", history + "?threadId=" + id, agentToken, "")
                                .path("messages")
                                .size()
                        >= 5);
        JsonNode day = call("showHistory", "GET", history + "?threadId=" + id + "&tz=Asia/Shanghai", ada, "");
        assertThat(day.path("messages")
                        .valueStream()
                        .filter(each -> each.path("uiSchema").isObject()))
                .isNotEmpty();
        assertThat(refusal(call("showHistory", "GET", history + "?tz=nowhere", ada, "")))
                .isEqualTo(400);
        assertThat(refusal(call("showHistory", "GET", history + "?threadId=" + UUID.randomUUID(), ada, "")))
                .isEqualTo(404);
    }

    private static Map<String, Object> input(String id, String run, String text) {
        return Map.of(
                "threadId",
                id,
                "runId",
                run,
                "messages",
                List.of(Map.of("id", "msg-" + run, "role", "user", "content", text)),
                "forwardedProps",
                Map.of("agentId", Agents.DEMO.value()));
    }

    @Test
    void refusalsOfRuns() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String runs = "/api/v1/agent/threads/" + id + "/runs";
        assertThat(refusal(call("startRun", "POST", "/api/v1/agent/runs", ada, Map.of())))
                .isEqualTo(400);
        assertThat(refusal(call("startRun", "POST", "/api/v1/agent/runs", ada, input("x", "r", "hello"))))
                .isEqualTo(400);
        call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "r", "hello"));
        assertThat(refusal(call("startRun", "POST", "/api/v1/agent/runs", ada, input(id, "r", "other"))))
                .isEqualTo(409);
        assertThat(refusal(call("showRun", "GET", runs + "/none", ada, ""))).isEqualTo(404);
        assertThat(refusal(call("listRuns", "GET", runs + "?cursor=x", ada, "")))
                .isEqualTo(400);
        assertThat(refusal(
                        call("followRuns", "GET", "/api/v1/agent/runs/" + id + "/events?runId=none", agentToken, "")))
                .isEqualTo(404);
        assertThat(refusal(call("followRuns", "GET", "/api/v1/agent/runs/" + id + "/events?after=x", agentToken, "")))
                .isEqualTo(400);
        Object late = Map.of("first", 3, "events", List.of());
        assertThat(refusal(call("driveRun", "POST", runs + "/unknown/events", runner, late)))
                .isEqualTo(404);
        JsonNode standing = call("driveRun", "POST", runs + "/mine/events", runner, Map.of("first", 0));
        int epoch = standing.path("epoch").asInt();
        List<Object> step = List.of(Map.of("type", "STEP_STARTED", "stepName", "intent"));
        assertThat(refusal(call(
                        "driveRun",
                        "POST",
                        runs + "/mine/events",
                        runner,
                        Map.of("epoch", epoch, "first", 1, "events", step))))
                .isEqualTo(409);
        assertThat(refusal(call(
                        "driveRun",
                        "POST",
                        runs + "/mine/events",
                        runner,
                        Map.of("epoch", epoch + 1, "first", 0, "events", step))))
                .isEqualTo(409);
        assertThat(refusal(call("driveRun", "POST", runs + "/r/events", runner, Map.of("first", 0))))
                .isEqualTo(409);
    }

    @Test
    void objectsOfOthersAreAsMissingAsThoseThatAreNot() {
        String folder = "agent-inputs/" + bobId + "/answers";
        String object = "/storage/v1/object";
        Calls.Got kept = api.call(
                "POST", object + "/agent-files/" + folder + "/a.txt", bob, new Calls.Sent("text/plain", new byte[] {'a'
                }));
        assertThat(kept.status()).isEqualTo(200);
        Map<String, Object> life = Map.of("expiresIn", 60);
        for (String name : List.of("a.txt", "none.txt")) {
            String named = "/agent-files/" + folder + "/" + name;
            assertThat(refusal(call("downloadObject", "GET", object + named, ada, "")))
                    .isEqualTo(404);
            assertThat(refusal(call("downloadAuthenticatedObject", "GET", object + "/authenticated" + named, ada, "")))
                    .isEqualTo(404);
            assertThat(refusal(call("describeObject", "GET", object + "/info" + named, ada, "")))
                    .isEqualTo(404);
            assertThat(refusal(call("publicObject", "GET", object + "/public" + named, ada, "")))
                    .isEqualTo(404);
            assertThat(refusal(call("signObject", "POST", object + "/sign" + named, ada, life)))
                    .isEqualTo(404);
            assertThat(refusal(call("copyObject", "POST", object + "/copy", ada, way(folder + "/" + name))))
                    .isEqualTo(404);
            assertThat(refusal(call("moveObject", "POST", object + "/move", ada, way(folder + "/" + name))))
                    .isEqualTo(403);
            assertThat(refusal(
                            call("downloadSignedObject", "GET", object + "/sign" + named + "?token=" + bob, ada, "")))
                    .isEqualTo(404);
            assertThat(call(
                                    "signObjects",
                                    "POST",
                                    object + "/sign/agent-files",
                                    ada,
                                    Map.of("expiresIn", 60, "paths", List.of(folder + "/" + name)))
                            .path(0)
                            .path("error")
                            .asString(""))
                    .isNotEmpty();
            assertThat(call(
                            "removeObjects",
                            "DELETE",
                            object + "/agent-files",
                            ada,
                            Map.of("prefixes", List.of(folder + "/" + name))))
                    .isEmpty();
        }
        assertThat(call("listObjects", "POST", object + "/list/agent-files", ada, Map.of("prefix", folder)))
                .isEmpty();
        JsonNode bucket = call("describeBucket", "GET", "/storage/v1/bucket/agent-files", ada, "");
        assertThat(call("listBuckets", "GET", "/storage/v1/bucket", ada, "")).containsExactly(bucket);
        assertThat(call("describeBucket", "GET", "/storage/v1/bucket/none", ada, "")
                        .path("code")
                        .asString())
                .isEqualTo("NoSuchBucket");
        assertThat(refusal(call("searchObjects", "POST", object + "/list-v2/agent-files", ada, Map.of("cursor", "x"))))
                .isEqualTo(400);
        assertThat(refusal(call("signObject", "POST", object + "/sign/agent-files/x", ada, Map.of())))
                .isEqualTo(400);
    }

    private static Map<String, Object> way(String from) {
        return Map.of("bucketId", "agent-files", "sourceKey", from, "destinationKey", "agent-inputs/" + bobId + "/b");
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
            if (operation.equals("followRuns")) {
                assertThat(frame.id()).matches("[0-9]+");
                assertThat(frame.data().path("type").asString()).isEqualTo(frame.event());
            } else {
                assertThat(frame.id()).isEqualTo(frame.data().path("event_id").asString(""));
            }
        });
    }
}
