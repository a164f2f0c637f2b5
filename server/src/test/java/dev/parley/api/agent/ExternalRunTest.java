package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** An external agent drives its run by numbered events. */
class ExternalRunTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off", "--limit-run-claim", "10m");

    private final AgentCaller owner = AgentCaller.somebody(server);
    private final String agentId = owner.api()
            .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
            .text("agent_id");
    private final Api agent = server.api(owner.api()
            .post("/api/v1/owner/external-agents/tokens", tokenFor(agentId))
            .text("raw_token"));
    private final String thread = owner.api()
            .post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agentId + "\"]}")
            .text("thread_id");

    private static String tokenFor(String agent) {
        return "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}";
    }

    private Api.Reply post(String run, @Nullable Integer epoch, long first, Object... events) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (epoch != null) {
            body.put("epoch", epoch);
        }
        body.put("first", first);
        body.put("events", List.of(events));
        return agent.post(
                "/api/v1/agent/threads/" + thread + "/runs/" + run + "/events", Json.MAPPER.writeValueAsString(body));
    }

    private static Map<String, Object> event(String type, String... members) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        for (int i = 0; i < members.length; i += 2) {
            event.put(members[i], members[i + 1]);
        }
        return event;
    }

    private static final Map<String, Object> START = event("TEXT_MESSAGE_START", "messageId", "m1");

    private static Map<String, Object> content(String delta) {
        return event("TEXT_MESSAGE_CONTENT", "messageId", "m1", "delta", delta);
    }

    @Test
    void aRunIsOpenedFedAndEnded() {
        Api.Reply opened = post("mine", null, 0, START, content("你"));
        assertThat(opened.status()).as(opened.toString()).isEqualTo(200);
        assertThat(opened.answer().text()).isEqualTo("{\"epoch\":1,\"next\":2,\"stop\":false}");
        // As if its answer had been lost, before the driver knew an epoch.
        assertThat(post("mine", null, 0, START, content("你")).answer().text())
                .isEqualTo("{\"epoch\":1,\"next\":2,\"stop\":false}");
        assertThat(post("mine", null, 0, START, content("你"), content("!")).problem())
                .contains("run-taken-over");
        // Known numbers are ignored, also together with new ones.
        assertThat(post("mine", 1, 0, START, content("你")).json().get("next").asInt())
                .isEqualTo(2);
        assertThat(post("mine", 1, 1, content("你"), content("好"))
                        .json()
                        .get("next")
                        .asInt())
                .isEqualTo(3);
        assertThat(post("mine", 1, 3).answer().text()).isEqualTo("{\"epoch\":1,\"next\":3,\"stop\":false}");
        assertThat(post("mine", 1, 9, content("gap")).problem()).contains("event-gap");
        assertThat(post("mine", 2, 3, content("epoch")).problem()).contains("run-taken-over");
        assertThat(post("mine", null, 3, content("no epoch")).problem()).contains("run-taken-over");
        Api.Reply ended = post(
                "mine",
                1,
                3,
                event("TEXT_MESSAGE_END", "messageId", "m1"),
                event("RUN_FINISHED", "threadId", "x", "runId", "y"));
        assertThat(ended.json().get("stop").asBoolean()).isTrue();
        assertThat(post("mine", 1, 5, content("late")).json().get("stop").asBoolean())
                .isTrue();
        List<AgentCaller.Frame> frames = owner.follow(thread, "mine");
        assertThat(AgentCaller.texts(frames)).containsExactly(Map.entry("m1", "你好"));
        assertThat(frames.getLast().data().get("runId").asString()).isEqualTo("mine");
        JsonNode message = owner.messages(thread).getLast();
        assertThat(message.get("content").asString()).isEqualTo("你好");
        assertThat(message.get("id").asString()).isEqualTo("m1");
        assertThat(message.get("sender_id").asString()).isEqualTo("agent:" + agentId);
    }

    @Test
    void aCancelledRunTellsItsDriverToStop() {
        post("mine", null, 0, START, content("half"));
        assertThat(owner.cancel(thread, "mine").text("status")).isEqualTo("accepted");
        Api.Reply after = post("mine", 1, 2, content("more"));
        assertThat(after.status()).isEqualTo(200);
        assertThat(after.json().get("stop").asBoolean()).isTrue();
        assertThat(AgentCaller.texts(owner.follow(thread, "mine"))).containsExactly(Map.entry("m1", "half"));
        assertThat(owner.messages(thread).getLast().at("/metadata/partial").asBoolean())
                .isTrue();
    }

    @Test
    void aRunThatWasAskedForIsPickedUpByItsAgent() {
        Map<String, Object> input = AgentCaller.input(thread, "asked", "please");
        assertThat(owner.start(input).status()).isEqualTo(202);
        assertThat(owner.run(thread, "asked").get("state").asString()).isEqualTo("queued");
        Api.Reply claimed = post("asked", null, 0, START, content("yes"));
        assertThat(claimed.status()).as(claimed.toString()).isEqualTo(200);
        int epoch = claimed.json().get("epoch").asInt();
        post("asked", epoch, 2, event("RUN_FINISHED", "threadId", "x", "runId", "y"));
        assertThat(owner.run(thread, "asked").get("state").asString()).isEqualTo("completed");
        assertThat(owner.messages(thread))
                .extracting(m -> m.get("content").asString())
                .containsExactly("please", "yes");
    }

    @Test
    void runOfAnAgentWithoutATokenThatCouldDriveItIsRefused() {
        String session = UUID.randomUUID().toString();
        assertThat(owner.api()
                        .post("/api/v1/sessions/" + session + "/chat-events", """
                                {"agent_name":"Guard","message":{"id":"g","role":"assistant","content":"No."}}""")
                        .status())
                .isEqualTo(201);

        Api.Reply refused = owner.start(AgentCaller.input(session, "asked", "please"));

        assertThat(refused.problem()).as(refused.toString()).contains("no-driver");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("detail")).contains("Guard", "forwardedProps.agentId");
        assertThat(owner.messages(session))
                .extracting(each -> each.get("content").asString())
                .containsExactly("No.");
    }

    @Test
    void tokenWithoutTheScopeRunDrivesNothing() {
        String silent = owner.api().post("/api/v1/owner/agents", "{}").text("agent_id");
        owner.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + silent + "\",\"scopes\":[\"observe\",\"speak\"]}");
        String with = owner.api()
                .post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + silent + "\"]}")
                .text("thread_id");

        assertThat(owner.start(AgentCaller.input(with, "asked", "please")).problem())
                .contains("no-driver");
    }

    @Test
    void runThatNoDriverComesForFails() {
        owner.start(AgentCaller.input(thread, "asked", "please"));
        server.execute("update runs set lease_until = now() where thread_id = '" + thread + "'");

        List<AgentCaller.Frame> frames = owner.follow(thread, "asked");

        assertThat(frames.getLast().data().get("type").asString()).isEqualTo("RUN_ERROR");
        assertThat(frames.getLast().data().get("code").asString()).isEqualTo("no_driver");
        assertThat(owner.run(thread, "asked").get("state").asString()).isEqualTo("failed");
    }

    @Test
    void longestWaitForADriverIsALimit() {
        owner.start(AgentCaller.input(thread, "asked", "please"));

        assertThat(server.select(
                        "select extract(epoch from lease_until - created_at)::int from runs where thread_id = '"
                                + thread + "'"))
                .containsExactly("600");
    }

    @Test
    void otherCallersCannotDriveTheRun() {
        post("mine", null, 0, START);
        assertThat(owner.api()
                        .post("/api/v1/agent/threads/" + thread + "/runs/mine/events", "{\"first\":1,\"events\":[]}")
                        .status())
                .isEqualTo(403);
        String other = owner.api().post("/api/v1/owner/agents", "{}").text("agent_id");
        Api stranger = server.api(owner.api()
                .post("/api/v1/owner/external-agents/tokens", tokenFor(other))
                .text("raw_token"));
        String path = "/api/v1/agent/threads/" + thread + "/runs/mine/events";
        assertThat(stranger.post(path, "{\"epoch\":1,\"first\":1,\"events\":[]}")
                        .status())
                .isEqualTo(404);
        owner.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"agent:" + other + "\"]}");
        assertThat(stranger.post(path, "{\"epoch\":1,\"first\":1,\"events\":[]}")
                        .problem())
                .contains("run-taken-over");
    }

    @Test
    void anEventThatCannotBeReadIsRefusedAndNothingOfItsPostIsKept() {
        post("mine", null, 0, START);
        Api.Reply refused = post("mine", 1, 1, content("good"), event("TEXT_MESSAGE_CONTENT", "messageId", "m1"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.answer().text()).contains("events[1].delta");
        assertThat(post("mine", 1, 1, content("good")).json().get("next").asInt())
                .isEqualTo(2);
    }

    @Test
    void idsThatCannotBeKeptAreRefusedAndOpenNothing() {
        for (String id : List.of("", "a\u0000b", "x".repeat(129))) {
            Api.Reply refused = post("mine", null, 0, event("TEXT_MESSAGE_START", "messageId", id));
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.answer().text()).contains("events[0].messageId");
        }
        assertThat(owner.api()
                        .get("/api/v1/agent/threads/" + thread + "/runs/mine")
                        .status())
                .isEqualTo(404);
        Api.Reply failed = post("mine", null, 0, event("RUN_ERROR", "message", "b\u0000d", "code", "c\u0000"));
        assertThat(failed.json().get("stop").asBoolean()).isTrue();
        assertThat(post("x", null, 0, event("TEXT_MESSAGE_START", "messageId", "x".repeat(128)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void anIllegalSequenceEndsTheRun() {
        post("mine", null, 0, START, content("a"));
        Api.Reply broken = post("mine", 1, 2, event("TOOL_CALL_END", "toolCallId", "nothing"));
        assertThat(broken.json().get("stop").asBoolean()).isTrue();
        AgentCaller.Frame last = owner.follow(thread, "mine").getLast();
        assertThat(last.type()).isEqualTo("RUN_ERROR");
        assertThat(last.data().get("code").asString()).isEqualTo("illegal_event");
        assertThat(owner.messages(thread).getLast().get("content").asString()).isEqualTo("a");
    }

    /** An agent chooses its subagents' ids, but an id never names another caller's run. */
    @Test
    void aChildCannotEndTheRunOfAnother() {
        post("victim", null, 0, START, content("mine"));
        String task = owner.run(thread, "victim").get("taskId").asString();
        Map<String, Object> begins = event("SUBAGENT_STARTED", "subagentRunId", task, "name", "Thief");
        assertThat(post("thief", null, 0, begins, event("SUBAGENT_FINISHED", "subagentRunId", task))
                        .status())
                .isEqualTo(200);
        assertThat(owner.run(thread, "victim").get("state").asString()).isEqualTo("running");
        assertThat(post("victim", 1, 2, content(" still")).status()).isEqualTo(200);
        assertThat(post("thief", 1, 2, event("RUN_FINISHED", "threadId", "x", "runId", "y"))
                        .status())
                .isEqualTo(200);
        assertThat(owner.run(thread, "victim").get("state").asString()).isEqualTo("running");
    }

    /** Clients accept a result with the id of a text; both are stored. */
    @Test
    void aResultWithTheIdOfATextIsAnotherMessage() {
        post(
                "mine",
                null,
                0,
                START,
                content("said"),
                event("TEXT_MESSAGE_END", "messageId", "m1"),
                event("TOOL_CALL_START", "toolCallId", "c1", "toolCallName", "look"),
                event("TOOL_CALL_END", "toolCallId", "c1"),
                event("TOOL_CALL_RESULT", "messageId", "m1", "toolCallId", "c1", "content", "seen"),
                event("RUN_FINISHED", "threadId", "x", "runId", "y"));
        assertThat(owner.messages(thread))
                .extracting(message -> message.get("content").asString())
                .containsExactly("said", "", "seen");
    }

    /** Agents number their calls anew in every run. */
    @Test
    void callsOfTheSameNameAreAnsweredForEachRun() {
        for (String run : List.of("first", "second")) {
            post(
                    run,
                    null,
                    0,
                    event("TOOL_CALL_START", "toolCallId", "call_0", "toolCallName", "pick"),
                    event("TOOL_CALL_END", "toolCallId", "call_0"),
                    event("RUN_FINISHED", "threadId", "x", "runId", "y"));
            Map<String, Object> answer = AgentCaller.input(thread, "answer-" + run, "there");
            answer.put(
                    "messages",
                    List.of(
                            Map.of("id", "u-" + run, "role", "user", "content", "there"),
                            Map.of("id", "t-" + run, "role", "tool", "toolCallId", "call_0", "content", "of " + run)));
            assertThat(owner.start(answer).status()).isEqualTo(202);
        }
        assertThat(owner.messages(thread))
                .filteredOn(message -> message.get("role").asString().equals("tool"))
                .extracting(message -> message.get("content").asString())
                .containsExactly("of first", "of second");
    }

    @Test
    void anArchivedThreadTakesNoNewRun() {
        assertThat(owner.api()
                        .patch("/api/v1/chat/threads/" + thread + "/archive", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(post("late", null, 0, START).problem()).contains("thread-archived");
        assertThat(owner.start(thread, "late", "hello").problem()).contains("thread-archived");
    }

    /** Concurrent posts, each repeated: every number is accepted once. */
    @Test
    void postsThatCrossAreTakenOnce() throws Exception {
        post("mine", null, 0, START);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int n = 1; n <= 20; n++) {
                    Api.Reply reply = post("mine", 1, n, content(n + " "));
                    while (reply.problem().filter("event-gap"::equals).isPresent()) {
                        reply = post("mine", 1, n, content(n + " "));
                    }
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        post("mine", 1, 21, event("RUN_FINISHED", "threadId", "x", "runId", "y"));
        StringBuilder expected = new StringBuilder();
        for (int n = 1; n <= 20; n++) {
            expected.append(n).append(' ');
        }
        assertThat(AgentCaller.texts(owner.follow(thread, "mine")))
                .containsExactly(Map.entry("m1", expected.toString()));
        assertThat(UUID.fromString(owner.run(thread, "mine").get("taskId").asString()))
                .isNotNull();
    }
}
