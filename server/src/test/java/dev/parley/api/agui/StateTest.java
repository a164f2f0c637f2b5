package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static dev.parley.api.agui.DrivingAgent.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The state that a client shares with its agent. */
class StateTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private int run(String run, Object state) {
        caller.run(with(input(thread, run, user("u-" + run, "hello")), "state", state));
        return caller.state(thread).path("version").asInt();
    }

    @Test
    void aStateReplacesTheOldOneUnlessItIsTheSameOrEmpty() {
        assertThat(run("r1", Map.of())).isZero();
        assertThat(run("r2", Map.of("a", 1, "b", List.of(1, 2)))).isEqualTo(1);
        assertThat(run("r3", Map.of("b", List.of(1, 2), "a", 1))).isEqualTo(1);
        assertThat(run("r4", Map.of())).isEqualTo(1);
        assertThat(run("r5", Map.of("a", 2))).isEqualTo(2);
        assertThat(caller.state(thread).get("state")).isEqualTo(Json.MAPPER.readTree("{\"a\":2}"));
        assertThat(run("r6", List.of())).isEqualTo(3);
    }

    @Test
    void connectingClientGetsTheState() {
        caller.run(thread, "r1", user("u1", "/state {\"city\":\"Rome\"}"));
        List<JsonNode> shown = caller.connect(thread);
        assertThat(types(shown)).containsExactly("RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED");
        assertThat(only(shown, "STATE_SNAPSHOT").get("snapshot"))
                .isEqualTo(Json.MAPPER.readTree("{\"city\":\"Rome\",\"updated\":true}"));
        assertThat(only(caller.run(thread, "r1"), "STATE_SNAPSHOT").get("snapshot"))
                .isEqualTo(only(shown, "STATE_SNAPSHOT").get("snapshot"));
    }

    @Test
    void clientThatConnectsInTheMiddleGetsTheStateSoFar() {
        DrivingAgent agent = DrivingAgent.of(caller, server);
        Map<String, Object> input = with(input(thread, "r1", user("u1", "go")), "state", Map.of("n", 1));
        try (Live first = caller.open(agent.runPath(), input)) {
            DrivingAgent.Driving driving = agent.drive(thread, "r1");
            driving.post(event("STATE_DELTA", "delta", List.of(Map.of("op", "replace", "path", "/n", "value", 2))));
            first.until("STATE_DELTA");
            try (Live second = caller.open(agent.connectPath(), input(thread, "c1"))) {
                second.until("STATE_SNAPSHOT");
                assertThat(only(second.events(), "STATE_SNAPSHOT")
                                .get("snapshot")
                                .get("n")
                                .asInt())
                        .isEqualTo(2);
                // The state is not stored before the run ends.
                assertThat(caller.state(thread).path("version").asInt()).isEqualTo(1);
                driving.post(
                        event("STATE_DELTA", "delta", List.of(Map.of("op", "add", "path", "/m", "value", 3))),
                        DrivingAgent.finished());
                assertThat(ClientView.of(second.whole()).state()).contains(Json.MAPPER.readTree("{\"n\":2,\"m\":3}"));
            }
        }
        assertThat(caller.state(thread).get("state")).isEqualTo(Json.MAPPER.readTree("{\"n\":2,\"m\":3}"));
        assertThat(caller.state(thread).get("version").asInt()).isEqualTo(2);
    }

    @Test
    void aStateThatGrowsBeyondAllMeasureEndsTheRun() {
        DrivingAgent agent = DrivingAgent.of(caller, server);
        try (Live live = caller.open(agent.runPath(), input(thread, "r1", user("u1", "go")))) {
            DrivingAgent.Driving run = agent.drive(thread, "r1");
            run.post(DrivingAgent.event("STATE_SNAPSHOT", "snapshot", Map.of("a", List.of("x".repeat(1_000)))));
            for (int i = 0; i < 12; i++) {
                run.post(DrivingAgent.event(
                        "STATE_DELTA", "delta", List.of(Map.of("op", "copy", "from", "/a", "path", "/a/-"))));
            }
            run.post(DrivingAgent.event(
                    "STATE_DELTA",
                    "delta",
                    List.of(
                            Map.of("op", "copy", "from", "/a", "path", "/a/-"),
                            Map.of("op", "copy", "from", "/a", "path", "/a/-"))));
            JsonNode last = live.whole().getLast();
            assertThat(last.path("code").asString()).isEqualTo("output_limit");
        }
    }
}
