package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.older;
import static dev.parley.api.agui.AguiCaller.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Stopping a run, as CopilotKit does it. */
class StopTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = "stop " + UUID.randomUUID();

    private Api.Reply stop(AguiCaller who, String agent, String body) {
        return who.api()
                .send(
                        "POST",
                        "/api/v1/agui/agent/" + agent + "/stop/" + thread.replace(" ", "%20"),
                        body.isEmpty() ? null : body);
    }

    private boolean stopped(String agent, String body) {
        Api.Reply reply = stop(caller, agent, body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json().get("stopped").asBoolean();
    }

    private Live slow(String run) {
        return caller.open(input(thread, run, user("u-" + run, "/slow 2000"))).until("TEXT_MESSAGE_CONTENT");
    }

    @Test
    void aRunIsStoppedByItsName() {
        try (Live live = slow("r1")) {
            assertThat(stopped("default", "{\"runId\":\"r1\"}")).isTrue();
            assertThat(live.whole().getLast().at("/outcome/type").asString()).isEqualTo("cancelled");
        }
        assertThat(stopped("default", "{\"runId\":\"r1\"}")).isFalse();
    }

    @Test
    void stopWithoutARunIdStopsTheActiveRun() {
        for (String body : new String[] {"{}", "", "{\"runId\":null}", "{\"runId\":\"a name that nobody knows\"}"}) {
            try (Live live = slow("r" + UUID.randomUUID())) {
                assertThat(stopped("default", body)).as(body).isTrue();
                assertThat(live.whole().getLast().at("/outcome/type").asString())
                        .isEqualTo("cancelled");
            }
            assertThat(stopped("default", body)).as(body).isFalse();
        }
    }

    /** A page knows its thread; the agent that answers there may differ from the one that the page names. */
    @Test
    void anAgentsOwnRunIsStoppedFirst() {
        String other = caller.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Second\",\"kind\":\"demo\"}")
                .text("agent_id");
        try (Live first = slow("r1");
                Live second = caller.open(
                                "/api/v1/agui/agent/" + other + "/run", input(thread, "r2", user("u2", "/slow 2000")))
                        .until("TEXT_MESSAGE_CONTENT")) {
            assertThat(stopped(other, "{}")).isTrue();
            assertThat(second.whole().getLast().at("/outcome/type").asString()).isEqualTo("cancelled");
            assertThat(AguiCaller.types(first.events())).doesNotContain("RUN_FINISHED");
            assertThat(stopped(other, "{\"runId\":\"r1\"}")).isTrue();
            assertThat(first.whole().getLast().at("/outcome/type").asString()).isEqualTo("cancelled");
        }
    }

    @Test
    void olderClientGetsItsOwnShapes() {
        try (Live live = caller.open(older(thread, "r1", user("u1", "/slow 2000")))) {
            live.until("TEXT_MESSAGE_CONTENT");
            assertThat(stopped("default", "{\"runId\":\"r1\"}")).isTrue();
            assertThat(live.whole().getLast().get("type").asString()).isEqualTo("RUN_ERROR");
            assertThat(live.whole().getLast().get("code").asString()).isEqualTo("cancelled");
        }
    }

    @Test
    void stopWithoutARunIsNotFound() {
        assertThat(stop(caller, "default", "{}").status()).isEqualTo(404);
        slow("r1").close();
        assertThat(stop(AguiCaller.somebody(server), "default", "{}").status()).isEqualTo(404);
        assertThat(stop(caller, "default", "{\"runId\":7}").status()).isEqualTo(400);
        assertThat(stopped("default", "{}")).isTrue();
    }
}
