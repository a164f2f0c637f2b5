package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.older;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static dev.parley.api.agui.DrivingAgent.event;
import static dev.parley.api.agui.DrivingAgent.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Agents;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every stream names its end in its last event, however it ends: clients take any other end for a success. */
class EndingsTest {
    private static final String DEMO = Agents.DEMO.value();

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final DrivingAgent agent = DrivingAgent.of(caller, server);
    private final String thread = UUID.randomUUID().toString();

    private static void assertDetached(List<JsonNode> events) {
        JsonNode last = events.getLast();
        assertThat(last.get("type").asString()).isEqualTo("RUN_ERROR");
        assertThat(last.get("code").asString()).isEqualTo("detached");
        ClientView.of(events);
    }

    @Test
    void aServerThatStopsDetachesItsViewersAndTheRunIsNotOver() {
        try (RunningServer other = RunningServer.start("--rate-limits", "off", "--shutdown-grace", "1s")) {
            AguiCaller there = AguiCaller.somebody(other);
            DrivingAgent outside = DrivingAgent.of(there, other);
            try (Live waiting = there.open(outside.runPath(), input(thread, "r1", user("u1", "go")));
                    Live talking = there.open(input(UUID.randomUUID().toString(), "r2", user("u2", "/slow 2000")))) {
                outside.drive(thread, "r1")
                        .post(
                                event("TEXT_MESSAGE_START", "messageId", "m1", "role", "assistant"),
                                event("TEXT_MESSAGE_CONTENT", "messageId", "m1", "delta", "half"));
                waiting.until("TEXT_MESSAGE_CONTENT");
                talking.until("TEXT_MESSAGE_CONTENT");
                other.server().close();
                assertDetached(waiting.whole());
                // The run was executed here and ended with the server: by its own end, or by none that a viewer could
                // still receive.
                JsonNode last = talking.whole().getLast();
                assertThat(last.get("type").asString()).isEqualTo("RUN_ERROR");
                assertThat(last.get("code").asString()).isIn("interrupted", "detached");
                ClientView.of(talking.whole());
                assertThat(other.select("select state from runs where run_id = 'r1'"))
                        .containsExactly("running");
                assertThat(other.select("select state from runs where run_id = 'r2'"))
                        .containsExactly("failed");
            }
        }
    }

    @Test
    void removedMemberIsDetachedAndTheRunContinues() {
        UUID friendId = UUID.randomUUID();
        AguiCaller friend = new AguiCaller(server, friendId, server.api(friendId, "Friend"));
        try (Live own = caller.open(agent.runPath(), input(thread, "r1", user("u1", "go")))) {
            caller.api()
                    .post(
                            "/api/v1/chat/threads/" + thread + "/participants",
                            "{\"sender_ids\":[\"user:" + friendId + "\"]}");
            try (Live theirs = friend.open(AguiCaller.CONNECT, input(thread, "c1"))) {
                DrivingAgent.Driving driving = agent.drive(thread, "r1")
                        .post(event("TEXT_MESSAGE_START", "messageId", "m1", "role", "assistant"));
                theirs.until("TEXT_MESSAGE_START");
                Api.Reply removed =
                        caller.api().delete("/api/v1/chat/threads/" + thread + "/participants/user:" + friendId);
                assertThat(removed.status()).as(removed.toString()).isLessThan(300);
                assertDetached(theirs.whole());
                driving.post(
                        event("TEXT_MESSAGE_CONTENT", "messageId", "m1", "delta", "secret"),
                        event("TEXT_MESSAGE_END", "messageId", "m1"),
                        finished());
                assertThat(types(own.whole())).endsWith("RUN_FINISHED");
                assertThat(theirs.whole().toString()).doesNotContain("secret");
            }
        }
    }

    /** Clients that name no version crash on these shapes. */
    @Test
    void olderClientsGetTheirOwnShapes() {
        Map<String, Object> input = older(thread, "r1", user("u1", "go"));
        try (Live before = caller.open(agent.runPath(), input);
                Live now = caller.open(agent.connectPath(), input(thread, "c1"))) {
            agent.drive(thread, "r1")
                    .post(
                            event("TOOL_CALL_START", "toolCallId", "c1", "toolCallName", "look"),
                            event("TOOL_CALL_END", "toolCallId", "c1"),
                            event(
                                    "TOOL_CALL_RESULT",
                                    "messageId",
                                    "t1",
                                    "toolCallId",
                                    "c1",
                                    "content",
                                    List.of(
                                            Map.of("type", "text", "text", "se"),
                                            Map.of("type", "text", "text", "en"))),
                            event("TOOL_CALL_START", "toolCallId", "c2", "toolCallName", "pick"),
                            event("TOOL_CALL_END", "toolCallId", "c2"),
                            event(
                                    "RUN_FINISHED",
                                    "threadId",
                                    "x",
                                    "runId",
                                    "y",
                                    "outcome",
                                    Map.of("type", "success", "pendingToolCallIds", List.of("c2"))));
            assertThat(only(before.whole(), "TOOL_CALL_RESULT").get("content").asString())
                    .isEqualTo("seen");
            assertThat(only(before.whole(), "RUN_FINISHED").toString()).doesNotContain("pendingToolCallIds");
            assertThat(only(now.whole(), "TOOL_CALL_RESULT").get("content")).hasSize(2);
            assertThat(only(now.whole(), "RUN_FINISHED")
                            .at("/outcome/pendingToolCallIds/0")
                            .asString())
                    .isEqualTo("c2");
        }
        assertThat(caller.run(input).toString()).doesNotContain("pendingToolCallIds");
        List<JsonNode> idle = AguiCaller.events(caller.post(AguiCaller.CONNECT, older(thread, "c2")));
        assertThat(idle.toString()).doesNotContain("pendingToolCallIds").doesNotContain("null");
        assertThat(only(caller.connect(thread), "RUN_FINISHED")
                        .at("/outcome/pendingToolCallIds/0")
                        .asString())
                .isEqualTo("c2");
    }

    @Test
    void aStreamIsFramedAsClientsReadIt() {
        Api.Reply reply = caller.post(input(thread, "r1", user("u1", "hello")));
        assertThat(reply.header("content-type").orElseThrow()).startsWith("text/event-stream");
        assertThat(reply.header("cache-control").orElseThrow()).containsAnyOf("no-cache", "no-store");
        assertThat(reply.header("x-accel-buffering")).contains("no");
        String text = reply.answer().text();
        assertThat(text)
                .doesNotContain("\r")
                .doesNotContain("[DONE]")
                .doesNotContain(":null")
                .endsWith("\n\n");
    }

    @Test
    void streamHasTheEventsOfItsRunOnly() {
        try (Live live = caller.open(agent.runPath(), input(thread, "r1", user("u1", "go")))) {
            caller.api()
                    .post(
                            "/api/v1/chat/threads/" + thread + "/messages",
                            "{\"client_message_id\":\"" + UUID.randomUUID() + "\",\"content\":\"beside\"}");
            caller.run(with(input(thread, "r2", user("u2", "hello")), "forwardedProps", Map.of("agentId", DEMO)));
            agent.drive(thread, "r1").post(finished());
            assertThat(types(live.whole())).containsExactly("RUN_STARTED", "RUN_FINISHED");
        }
    }
}
