package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.agents.Agents;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Answers beyond those to the examples of the API document: they too fit its schemas. */
class AnswersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String SLACK_KEY = "a-key-of-the-slack-relay";
    private static final String THREADS = "/api/v1/chat/threads";

    private static RunningServer server;
    private static DescribedApi api;
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
        Calls calls = new Calls(server.uri());
        api = new DescribedApi(calls);
        bobId = UUID.randomUUID();
        ada = server.token(UUID.randomUUID(), "Ada");
        bob = server.token(bobId, "Bob");
        agent = calls.must("POST", "/api/v1/owner/agents", ada, Map.of("display_name", "Builder"))
                .path("agent_id")
                .asString();
        agentToken = calls.must("POST", World.TOKENS, ada, Map.of("agent_actor_id", agent))
                .path("raw_token")
                .asString();
        driver = calls.must("POST", "/api/v1/owner/agents", ada, Map.of("display_name", "Driver"))
                .path("agent_id")
                .asString();
        runner = calls.must("POST", World.TOKENS, ada, Map.of("agent_actor_id", driver, "scopes", List.of("run")))
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
                + api.call(
                                "createThread",
                                THREADS,
                                ada,
                                Map.of("participants", List.of("user:" + bobId, "agent:" + agent, "agent:" + driver)))
                        .path("thread_id")
                        .asString();
    }

    private JsonNode post(String credential, String text, String key) {
        return api.call(
                "postMessage", thread + "/messages", credential, Map.of("content", text, "client_message_id", key));
    }

    @Test
    void keysAreRepeatedOrReused() {
        assertThat(post(ada, "hello", "k").path("duplicate").asBoolean()).isFalse();
        assertThat(post(ada, "hello", "k").path("duplicate").asBoolean()).isTrue();
        assertThat(post(ada, "other", "k").path("code").asString()).isEqualTo("CONFLICT");
    }

    @Test
    void staleAnswerGetsTheMissedMessages() {
        post(bob, "first", "1");
        post(bob, "second", "2");
        Map<String, Object> answer = new HashMap<>(Map.of("content", "late", "base_seq", 1, "on_stale", "reject"));

        JsonNode refused = api.call("postAgentMessage", thread + "/agent-messages", agentToken, answer);
        answer.put("on_stale", "accept");
        JsonNode taken = api.call("postAgentMessage", thread + "/agent-messages", agentToken, answer);

        assertThat(refused.path("current_seq").asInt()).isEqualTo(2);
        assertThat(refused.path("stale_lag").asInt()).isEqualTo(1);
        assertThat(refused.path("missed_messages").path(0).path("content").asString())
                .isEqualTo("second");
        assertThat(taken.path("stale").asBoolean()).isTrue();
        assertThat(taken.path("thread_seq").asInt()).isEqualTo(3);
    }

    @Test
    void revisionsFitInEveryList() {
        String id = post(ada, "hello", "k").path("id").asString();
        api.call("editMessage", thread + "/messages/" + id, ada, Map.of("content", "hello again"));
        api.call("react", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob);
        api.call("unreact", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob);
        api.call("react", thread + "/messages/" + id + "/reactions/%F0%9F%91%8D", bob);

        JsonNode message = api.call("listMessages", thread + "/messages", ada)
                .path("messages")
                .path(0);
        assertThat(message.path("content").asString()).isEqualTo("hello again");
        assertThat(message.path("reactions").size()).isEqualTo(1);
        assertThat(api.call("listMessages", thread + "/messages?revisions=raw", ada)
                        .path("entries")
                        .size())
                .isEqualTo(5);
        api.call("deleteMessage", thread + "/messages/" + id, ada);
        api.call("listMessages", thread + "/messages", ada);
        JsonNode events = api.call("pollEvents", thread + "/events", agentToken).path("events");
        // The message titled the thread; its deletion leaves the title.
        assertThat(events.size()).isEqualTo(7);
        assertThat(events.path(0).path("should_respond").asBoolean()).isTrue();
    }

    @Test
    void refusalsOfTheChatFaceFit() {
        assertThat(api.refusal("listMessages", thread + "/messages?limit=0", ada))
                .isEqualTo(400);
        assertThat(api.refusal("pollEvents", thread + "/events?after_seq=99", ada))
                .isEqualTo(400);
        assertThat(api.refusal("listThreads", THREADS + "?cursor=x", ada)).isEqualTo(400);
        assertThat(api.refusal("editMessage", thread + "/messages/none", ada, Map.of("content", "x")))
                .isEqualTo(404);
        assertThat(api.refusal("removeParticipant", thread + "/participants/user:nobody", ada))
                .isEqualTo(404);
        api.call("archiveThread", thread + "/archive", ada);
        assertThat(DescribedApi.status(post(ada, "too late", "late"))).isEqualTo(409);
        api.call("createToken", World.TOKENS, ada, Map.of("agent_actor_id", agent));
        assertThat(api.refusal("createToken", World.TOKENS, ada, Map.of("agent_actor_id", agent)))
                .isEqualTo(409);
        assertThat(api.refusal("createTicket", "/api/v1/auth/stream-tickets", ada, Map.of("path", "/")))
                .isEqualTo(400);
    }

    @Test
    void framesOfStreamsFit() {
        try (Calls.Followed follower = api.calls().follow(thread + "/events/stream?after_seq=0", agentToken);
                Calls.Followed inbox = api.calls().follow("/api/v1/chat/inbox/stream", agentToken)) {
            String id = post(ada, "hello", "k").path("id").asString();
            api.call("deleteMessage", thread + "/messages/" + id, ada);
            api.call("renameThread", thread, ada, Map.of("title", "Another"));
            await().atMost(LIMIT)
                    .until(() -> DescribedApi.names(follower)
                            .containsAll(Set.of("message_committed", "message_revised", "thread_updated")));
            api.call("typing", thread + "/typing", ada);
            await().atMost(LIMIT).until(() -> DescribedApi.names(follower).contains("typing"));
            post(ada, "again", "k2");
            await().atMost(LIMIT).until(() -> DescribedApi.names(inbox).contains("thread_changed"));

            DescribedApi.assertFit("streamEvents", follower);
            DescribedApi.assertFit("streamInbox", inbox);
        }
    }

    @Test
    void runsFitFromStartToEnd() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String runs = "/api/v1/agent/threads/" + id + "/runs";
        try (Calls.Followed chat = api.calls().follow(thread + "/events/stream?after_seq=0", agentToken);
                Calls.Followed all = api.calls().follow("/api/v1/agent/runs/" + id + "/events?after=0", agentToken)) {
            api.call("startRun", "/api/v1/agent/runs", ada, input(id, "demo", "/team Is it green?"));
            try (Calls.Followed one = api.calls().follow("/api/v1/agent/runs/" + id + "/events?runId=demo", ada)) {
                await().atMost(LIMIT).until(() -> DescribedApi.names(one).contains("RUN_FINISHED"));
                DescribedApi.assertFit("followRuns", one);
            }
            await().atMost(LIMIT).until(() -> DescribedApi.names(all).contains("RUN_FINISHED"));
            await().atMost(LIMIT).until(() -> DescribedApi.names(chat).contains("run_updated"));
            DescribedApi.assertFit("followRuns", all);
            DescribedApi.assertFit("streamEvents", chat);
        }
        assertThat(api.call("listRuns", runs, ada).path("runs").size()).isEqualTo(3);
        assertThat(api.call("showRun", runs + "/demo", ada).path("state").asString())
                .isEqualTo("completed");
        assertThat(api.call("showRunContext", runs + "/demo/context", ada)
                        .path("messages")
                        .size())
                .isPositive();
        assertThat(api.call("showRunContext", runs + "/demo/context?diff=demo", ada)
                        .path("added")
                        .size())
                .isZero();
        assertThat(api.refusal("showRunContext", runs + "/demo/context?request=9", ada))
                .isEqualTo(404);
        assertThat(api.refusal("showRunContext", runs + "/demo/context?request=x", ada))
                .isEqualTo(400);
        assertThat(api.call("cancelRun", runs + "/demo/cancel", ada)
                        .path("status")
                        .asString())
                .isEqualTo("finished");
        assertThat(api.call("cancelRun", runs + "/none/cancel", ada)
                        .path("status")
                        .asString())
                .isEqualTo("unknown");
        api.call("startRun", "/api/v1/agent/runs", ada, input(id, "failing", "/fail"));
        await().atMost(LIMIT)
                .until(() -> api.call("showRun", runs + "/failing", ada)
                        .path("error")
                        .path("code")
                        .asString("")
                        .equals("demo_failure"));
        api.call("startRun", "/api/v1/agent/runs", ada, input(id, "stating", "/state {\"a\": 1}"));
        await().atMost(LIMIT)
                .until(() -> api.call("showState", runs.replace("/runs", "/state"), ada)
                                .path("version")
                                .asInt()
                        > 0);
        api.call("pollEvents", thread + "/events", ada);
        api.call("listMessages", thread + "/messages", ada);
    }

    @Test
    void answersToInboundMessagesFit() {
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
        assertThat(DescribedApi.status(deliver(body))).isEqualTo(404);
        body.remove("session_id");
        metadata.put("sender_id", "user:" + bobId);
        assertThat(DescribedApi.status(deliver(body))).isEqualTo(400);
        metadata.put("source", "relay");
        metadata.put("sender_id", "relay:U1");
        assertThat(DescribedApi.status(deliver(body))).isEqualTo(403);
    }

    private static JsonNode deliver(Map<String, Object> body) {
        return api.call("submitChat", "/api/v1/ingest/chat", SLACK_KEY, body);
    }

    @Test
    void historyFits() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String history = "/api/v1/agent/history";
        assertThat(api.call("showHistory", history, server.token(UUID.randomUUID(), "Newcomer"))
                        .path("threadId")
                        .isNull())
                .isTrue();
        post(bob, "hello", "k");
        api.call("startRun", "/api/v1/agent/runs", ada, input(id, "card", "weather in Lisbon"));
        await().atMost(LIMIT)
                .until(() -> api.call("showHistory", history + "?threadId=" + id, agentToken)
                                .path("messages")
                                .size()
                        >= 5);
        JsonNode day = api.call("showHistory", history + "?threadId=" + id + "&tz=Asia/Shanghai", ada);
        assertThat(day.path("messages")
                        .valueStream()
                        .filter(each -> each.path("uiSchema").isObject()))
                .isNotEmpty();
        assertThat(api.refusal("showHistory", history + "?tz=nowhere", ada)).isEqualTo(400);
        assertThat(api.refusal("showHistory", history + "?threadId=" + UUID.randomUUID(), ada))
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
    void refusalsOfRunsFit() {
        String id = thread.substring(thread.lastIndexOf('/') + 1);
        String runs = "/api/v1/agent/threads/" + id + "/runs";
        assertThat(api.refusal("startRun", "/api/v1/agent/runs", ada, Map.of())).isEqualTo(400);
        assertThat(api.refusal("startRun", "/api/v1/agent/runs", ada, input("x", "r", "hello")))
                .isEqualTo(400);
        api.call("startRun", "/api/v1/agent/runs", ada, input(id, "r", "hello"));
        assertThat(api.refusal("startRun", "/api/v1/agent/runs", ada, input(id, "r", "other")))
                .isEqualTo(409);
        assertThat(api.refusal("showRun", runs + "/none", ada)).isEqualTo(404);
        assertThat(api.refusal("listRuns", runs + "?cursor=x", ada)).isEqualTo(400);
        assertThat(api.refusal("followRuns", "/api/v1/agent/runs/" + id + "/events?runId=none", agentToken))
                .isEqualTo(404);
        assertThat(api.refusal("followRuns", "/api/v1/agent/runs/" + id + "/events?after=x", agentToken))
                .isEqualTo(400);
        Object late = Map.of("first", 3, "events", List.of());
        assertThat(api.refusal("driveRun", runs + "/unknown/events", runner, late))
                .isEqualTo(404);
        JsonNode standing = api.call("driveRun", runs + "/mine/events", runner, Map.of("first", 0));
        int epoch = standing.path("epoch").asInt();
        List<Object> step = List.of(Map.of("type", "STEP_STARTED", "stepName", "intent"));
        assertThat(api.refusal(
                        "driveRun", runs + "/mine/events", runner, Map.of("epoch", epoch, "first", 1, "events", step)))
                .isEqualTo(409);
        assertThat(api.refusal(
                        "driveRun",
                        runs + "/mine/events",
                        runner,
                        Map.of("epoch", epoch + 1, "first", 0, "events", step)))
                .isEqualTo(409);
        assertThat(api.refusal("driveRun", runs + "/r/events", runner, Map.of("first", 0)))
                .isEqualTo(409);
    }

    @Test
    void objectsOfOthersAnswerLikeMissingOnes() {
        String folder = "agent-inputs/" + bobId + "/answers";
        String object = "/storage/v1/object";
        Calls.Got kept = api.calls()
                .call(
                        "POST",
                        object + "/agent-files/" + folder + "/a.txt",
                        bob,
                        new Calls.Sent("text/plain", new byte[] {'a'}));
        assertThat(kept.status()).isEqualTo(200);
        Map<String, Object> life = Map.of("expiresIn", 60);
        for (String name : List.of("a.txt", "none.txt")) {
            String named = "/agent-files/" + folder + "/" + name;
            assertThat(api.refusal("downloadObject", object + named, ada)).isEqualTo(404);
            assertThat(api.refusal("downloadAuthenticatedObject", object + "/authenticated" + named, ada))
                    .isEqualTo(404);
            assertThat(api.refusal("describeObject", object + "/info" + named, ada))
                    .isEqualTo(404);
            assertThat(api.refusal("publicObject", object + "/public" + named, ada))
                    .isEqualTo(404);
            assertThat(api.refusal("signObject", object + "/sign" + named, ada, life))
                    .isEqualTo(404);
            assertThat(api.refusal("copyObject", object + "/copy", ada, way(folder + "/" + name)))
                    .isEqualTo(404);
            assertThat(api.refusal("moveObject", object + "/move", ada, way(folder + "/" + name)))
                    .isEqualTo(403);
            assertThat(api.refusal("downloadSignedObject", object + "/sign" + named + "?token=" + bob, ada))
                    .isEqualTo(404);
            assertThat(api.call(
                                    "signObjects",
                                    object + "/sign/agent-files",
                                    ada,
                                    Map.of("expiresIn", 60, "paths", List.of(folder + "/" + name)))
                            .path(0)
                            .path("error")
                            .asString(""))
                    .isNotEmpty();
            assertThat(api.call(
                            "removeObjects",
                            object + "/agent-files",
                            ada,
                            Map.of("prefixes", List.of(folder + "/" + name))))
                    .isEmpty();
        }
        assertThat(api.call("listObjects", object + "/list/agent-files", ada, Map.of("prefix", folder)))
                .isEmpty();
        JsonNode bucket = api.call("describeBucket", "/storage/v1/bucket/agent-files", ada);
        assertThat(api.call("listBuckets", "/storage/v1/bucket", ada)).containsExactly(bucket);
        assertThat(api.call("describeBucket", "/storage/v1/bucket/none", ada)
                        .path("code")
                        .asString())
                .isEqualTo("NoSuchBucket");
        assertThat(api.refusal("searchObjects", object + "/list-v2/agent-files", ada, Map.of("cursor", "x")))
                .isEqualTo(400);
        assertThat(api.refusal("signObject", object + "/sign/agent-files/x", ada, Map.of()))
                .isEqualTo(400);
    }

    private static Map<String, Object> way(String from) {
        return Map.of("bucketId", "agent-files", "sourceKey", from, "destinationKey", "agent-inputs/" + bobId + "/b");
    }
}
