package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A client that comes back to a run, at any event, ends with the same view as a client that never left. */
class ReattachTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weather in Rome",
                "/slow 4",
                "/think about it",
                "/state {\"a\":1}",
                "/team do it",
                "/approve Go on?",
                "/fail"
            })
    void everyCutOfTheDemoAgentsRuns(String text) {
        cutEverywhere(played(text), true);
    }

    /**
     * Two texts at once, a reasoning message in a span, a call with its text open, steps, and an element that is begun
     * again. A client puts a result after its call and the log puts it at its arrival, so the order is not compared.
     */
    @Test
    void everyCutOfInterwovenSpans() {
        cutEverywhere(renamed("""
                        [{"type":"STEP_STARTED","stepName":"outer"},
                        {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant","name":"Ann"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"one "},
                        {"type":"TEXT_MESSAGE_START","messageId":"m2","role":"assistant"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"zwei 你"},
                        {"type":"STEP_STARTED","stepName":"inner"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"more"},
                        {"type":"REASONING_START","messageId":"s1"},
                        {"type":"REASONING_MESSAGE_START","messageId":"t1","role":"reasoning"},
                        {"type":"REASONING_MESSAGE_CONTENT","messageId":"t1","delta":"hm"},
                        {"type":"REASONING_MESSAGE_END","messageId":"t1"},
                        {"type":"REASONING_END","messageId":"s1"},
                        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"look","parentMessageId":"m1"},
                        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\\"a\\""},
                        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":":1}"},
                        {"type":"TEXT_MESSAGE_END","messageId":"m1"},
                        {"type":"TOOL_CALL_END","toolCallId":"c1"},
                        {"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"alone"},
                        {"type":"TOOL_CALL_END","toolCallId":"c2"},
                        {"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c1","content":"seen","role":"tool"},
                        {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":" and more"},
                        {"type":"TEXT_MESSAGE_END","messageId":"m1"},
                        {"type":"STEP_FINISHED","stepName":"inner"},
                        {"type":"TEXT_MESSAGE_END","messageId":"m2"},
                        {"type":"STEP_FINISHED","stepName":"outer"},
                        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"""), false);
    }

    @Test
    void everyCutOfSubagentsStateAndActivities() {
        cutEverywhere(renamed("""
                        [{"type":"STATE_SNAPSHOT","snapshot":{"n":0}},
                        {"type":"SUBAGENT_STARTED","subagentRunId":"S1","name":"One"},
                        {"type":"SUBAGENT_STARTED","subagentRunId":"S2","name":"Two","parentSubagentRunId":"S1"},
                        {"type":"STEP_STARTED","stepName":"same","subagentRunId":"S1"},
                        {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant","subagentRunId":"S2"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"from two","subagentRunId":"S2"},
                        {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":1}]},
                        {"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"plan","content":{"steps":["x"]}},
                        {"type":"TEXT_MESSAGE_END","messageId":"m1","subagentRunId":"S2"},
                        {"type":"SUBAGENT_FINISHED","subagentRunId":"S2"},
                        {"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"plan",
                         "patch":[{"op":"add","path":"/steps/-","value":"y"}]},
                        {"type":"STEP_FINISHED","stepName":"same","subagentRunId":"S1"},
                        {"type":"SUBAGENT_FINISHED","subagentRunId":"S1"},
                        {"type":"STATE_DELTA","delta":[{"op":"add","path":"/list","value":[1]}]},
                        {"type":"TEXT_MESSAGE_START","messageId":"m2","role":"assistant"},
                        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m2","delta":"done"},
                        {"type":"TEXT_MESSAGE_END","messageId":"m2"},
                        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"""), true);
    }

    /** The demo agent's stream, without its text about its own run. */
    private List<JsonNode> played(String text) {
        List<JsonNode> played = new ArrayList<>();
        for (JsonNode event : caller.run(UUID.randomUUID().toString(), "demo", user("d1", text))) {
            ObjectNode copy = (ObjectNode) event.deepCopy();
            copy.remove("metadata");
            copy.remove("timestamp");
            if (!copy.get("type").asString().equals("RUN_STARTED")) {
                played.add(copy);
            }
        }
        return renamed(Json.MAPPER.writeValueAsString(played));
    }

    /** Subagents' ids are ids of runs, and never repeat. */
    private static List<JsonNode> renamed(String json) {
        String text = json;
        for (JsonNode event : Json.MAPPER.readTree(json)) {
            if (event.get("type").asString().equals("SUBAGENT_STARTED")) {
                text = text.replace(
                        event.get("subagentRunId").asString(), UuidV7.next().toString());
            }
        }
        return Json.MAPPER.readTree(text).valueStream().toList();
    }

    private void cutEverywhere(List<JsonNode> events, boolean ordered) {
        DrivingAgent agent = DrivingAgent.of(caller, server);
        Map<String, Object> own = user("u1", "go");
        Map<String, Object> input = input(thread, "r1", own);
        List<Live> cuts = new ArrayList<>();
        try (Live whole = caller.open(agent.runPath(), input)) {
            cuts.add(caller.open(agent.runPath(), input));
            DrivingAgent.Driving driving = agent.drive(thread, "r1");
            for (JsonNode event : events.subList(0, events.size() - 1)) {
                driving.post(event);
                cuts.add(caller.open(cuts.size() % 2 == 0 ? agent.runPath() : agent.connectPath(), input));
            }
            driving.post(events.getLast());
            ClientView expected = ClientView.of(whole.whole(), own);
            assertThat(expected.ending()).isPresent();
            for (int i = 0; i < cuts.size(); i++) {
                List<JsonNode> seen = cuts.get(i).whole();
                ClientView view = ClientView.of(seen);
                assertThat(compared(view.shown(), ordered))
                        .as("cut at %s: %s", i, seen)
                        .isEqualTo(compared(expected.shown(), ordered));
                assertThat(view.ending().map(ReattachTest::meaning))
                        .isEqualTo(expected.ending().map(ReattachTest::meaning));
            }
            List<JsonNode> after = caller.run(input);
            assertThat(types(after)).doesNotContain("TEXT_MESSAGE_START", "TOOL_CALL_START");
            assertThat(compared(lasting(ClientView.of(after)), ordered))
                    .as("after the end: %s", after)
                    .isEqualTo(compared(lasting(expected), ordered));
        } finally {
            cuts.forEach(Live::close);
        }
    }

    private static List<String> compared(String shown, boolean ordered) {
        return ordered ? shown.lines().toList() : shown.lines().sorted().toList();
    }

    /** An activity ends with its run. */
    private static String lasting(ClientView view) {
        return view.shown().substring(0, view.shown().indexOf("\nactivities"));
    }

    private static String meaning(JsonNode ending) {
        return ending.get("type").asString()
                + ending.path("code").asString("")
                + ending.at("/outcome/type").asString("success")
                + ending.at("/outcome/interrupts/0/id").asString("");
    }
}
