package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fate of a run whose client disconnects. */
class DisconnectTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static RunningServer continuing;
    private static RunningServer cancelling;

    private String thread;

    @BeforeAll
    static void start() {
        continuing = RunningServer.start("--rate-limits", "off");
        cancelling = RunningServer.start("--rate-limits", "off", "--agui-disconnect", "cancel");
    }

    @AfterAll
    static void stop() {
        continuing.close();
        cancelling.close();
    }

    @BeforeEach
    void meet() {
        thread = UUID.randomUUID().toString();
    }

    private static String agent(AguiCaller caller, String config) {
        return "/api/v1/agui/agent/"
                + caller.api()
                        .post(
                                "/api/v1/owner/agents",
                                "{\"display_name\":\"Mine\",\"kind\":\"demo\",\"config\":" + config + "}")
                        .text("agent_id")
                + "/run";
    }

    private Live slow(AguiCaller caller, String path, int words) {
        return caller.open(path, input(thread, "r1", user("u1", "/slow " + words)))
                .until("TEXT_MESSAGE_CONTENT");
    }

    private static void awaitNobody(RunningServer server) {
        await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == 0);
    }

    private String state(AguiCaller caller) {
        return caller.runs(thread).getFirst().get("state").asString();
    }

    private void awaitState(AguiCaller caller, String state) {
        await().atMost(LIMIT).until(() -> state(caller).equals(state));
    }

    private void assertGoesOn(AguiCaller caller, String path) {
        slow(caller, path, 20).close();
        awaitNobody(caller.server());
        awaitState(caller, "completed");
    }

    private void assertCancelled(AguiCaller caller, String path) {
        slow(caller, path, 2_000).close();
        awaitState(caller, "cancelled");
        assertThat(caller.log(thread).getLast().at("/metadata/partial").asBoolean())
                .isTrue();
    }

    @Test
    void runContinuesByDefault() {
        assertGoesOn(AguiCaller.somebody(continuing), AguiCaller.RUN);
    }

    @Test
    void runIsCancelledIfConfigured() {
        assertCancelled(AguiCaller.somebody(cancelling), AguiCaller.RUN);
    }

    @Test
    void anAgentMayHaveItsOwnRule() {
        AguiCaller caller = AguiCaller.somebody(continuing);
        assertCancelled(caller, agent(caller, "{\"on_disconnect\":\"cancel\"}"));
    }

    @Test
    void anAgentsOwnRuleMayAlsoBeTheMilderOne() {
        AguiCaller caller = AguiCaller.somebody(cancelling);
        assertGoesOn(caller, agent(caller, "{\"on_disconnect\":\"continue\"}"));
    }

    @Test
    void unknownRuleIsRefused() {
        assertThat(AguiCaller.somebody(cancelling)
                        .api()
                        .post("/api/v1/owner/agents", "{\"kind\":\"demo\",\"config\":{\"on_disconnect\":\"maybe\"}}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void runContinuesWhileAnotherClientFollows() {
        AguiCaller caller = AguiCaller.somebody(cancelling);
        try (Live second = openSecond(caller)) {
            assertThat(second.whole().getLast().at("/outcome/type").asString("success"))
                    .isEqualTo("success");
        }
        assertThat(state(caller)).isEqualTo("completed");
    }

    private Live openSecond(AguiCaller caller) {
        Live first = slow(caller, AguiCaller.RUN, 40);
        Live second = caller.open(AguiCaller.CONNECT, input(thread, "c1"));
        second.until("TEXT_MESSAGE_CONTENT");
        first.close();
        await().atMost(LIMIT).until(() -> cancelling.metric("parley_sse_open") == 1);
        return second;
    }

    @Test
    void lastWindowOfTheStarterCancelsTheRun() {
        AguiCaller caller = AguiCaller.somebody(cancelling);
        Live first = slow(caller, AguiCaller.RUN, 2_000);
        Live second = caller.open(AguiCaller.CONNECT, input(thread, "c1")).until("TEXT_MESSAGE_CONTENT");
        first.close();
        await().atMost(LIMIT).until(() -> cancelling.metric("parley_sse_open") == 1);
        assertThat(state(caller)).isEqualTo("running");
        second.close();
        awaitState(caller, "cancelled");
    }

    @Test
    void followersThatDidNotStartTheRunMayComeAndGo() {
        AguiCaller caller = AguiCaller.somebody(cancelling);
        UUID friendId = UUID.randomUUID();
        AguiCaller friend = new AguiCaller(cancelling, friendId, cancelling.api(friendId, "Friend"));
        try (Live own = slow(caller, AguiCaller.RUN, 40)) {
            caller.api()
                    .post(
                            "/api/v1/chat/threads/" + thread + "/participants",
                            "{\"sender_ids\":[\"user:" + friendId + "\"]}");
            friend.open(AguiCaller.CONNECT, input(thread, "c1"))
                    .until("TEXT_MESSAGE_CONTENT")
                    .close();
            assertThat(own.whole().getLast().at("/outcome/type").asString("success"))
                    .isEqualTo("success");
        }
        assertThat(state(caller)).isEqualTo("completed");
    }

    /** The starter of the run has left before; then the last follower decides. */
    @Test
    void runIsCancelledWhenTheLastFollowerLeaves() {
        AguiCaller caller = AguiCaller.somebody(cancelling);
        AguiCaller friend = AguiCaller.somebody(cancelling);
        Live first = slow(caller, AguiCaller.RUN, 2_000);
        caller.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/participants",
                        "{\"sender_ids\":[\"user:" + friend.user() + "\"]}");
        Live second = friend.open(AguiCaller.CONNECT, input(thread, "c1")).until("TEXT_MESSAGE_CONTENT");
        first.close();
        await().atMost(LIMIT).until(() -> cancelling.metric("parley_sse_open") == 1);
        assertThat(state(caller)).isEqualTo("running");
        second.close();
        awaitState(caller, "cancelled");
    }
}
