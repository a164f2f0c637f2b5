package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedTools;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Tools that models call: those of the server, and those of the caller's app. */
class ModelToolTest {
    private static RunningServer server;
    private static ScriptedTools tools;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        tools = new ScriptedTools();
        CyclicBarrier both = new CyclicBarrier(2);
        tools.offer("look", arguments -> "seen: " + arguments.path("what").asString(""))
                .offer("meet", arguments -> {
                    try {
                        both.await(20, TimeUnit.SECONDS);
                        return "met " + arguments.path("what").asString("");
                    } catch (Exception alone) {
                        return "alone";
                    }
                });
        Path file = Files.writeString(folder.resolve("agents.yaml"), """
                tool_servers:
                  here:
                    url: %s
                    approval: never
                """.formatted(tools.url()));
        server = ModelFixture.server("--agents-file", file.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
        tools.close();
    }

    private static ModelFixture register(Wire wire, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(Map.of("tool_servers", List.of("here")));
        config.putAll(more);
        return ModelFixture.register(server, wire, config);
    }

    private static List<String> results(List<AgentCaller.Frame> frames) {
        return frames.stream()
                .filter(frame -> frame.type().equals("TOOL_CALL_RESULT"))
                .map(frame -> frame.data().path("content").asString())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void modelCallsOneToolAfterTheOther(Wire wire) {
        try (ModelFixture asked = register(wire, Map.of())) {
            for (int i = 1; i <= 3; i++) {
                asked.model()
                        .next(Script.answer()
                                .text("Looking. ")
                                .call("call_" + i, "here__look", "{\"what\":", "\"" + i + "\"}"));
            }
            asked.model().next(Script.answer().text("Done."));
            List<AgentCaller.Frame> frames = asked.ask("r", "Look thrice");
            assertThat(results(frames)).containsExactly("seen: 1", "seen: 2", "seen: 3");
            assertThat(AgentCaller.types(frames))
                    .containsSubsequence(
                            "STEP_STARTED",
                            "TEXT_MESSAGE_START",
                            "TEXT_MESSAGE_END",
                            "TOOL_CALL_START",
                            "TOOL_CALL_ARGS",
                            "TOOL_CALL_END",
                            "STEP_FINISHED",
                            "STEP_STARTED",
                            "TOOL_CALL_RESULT",
                            "STEP_FINISHED",
                            "RUN_FINISHED");
            assertThat(asked.requests()).hasSize(4);
            assertThat(asked.requests().getLast().text()).contains("seen: 1", "seen: 2", "seen: 3");
            JsonNode call = asked.caller().messages(asked.thread()).get(1);
            assertThat(call.get("content").asString()).isEqualTo("Looking. ");
            assertThat(call.at("/metadata/tool_calls/0/function/name").asString())
                    .isEqualTo("here__look");
            asked.model().next(Script.answer().text("Again."));
            asked.ask("r2", "And?");
            assertThat(asked.requests().getLast().text()).contains("seen: 3", "Done.");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void callsOfOneResponseRunSideBySide(Wire wire) {
        try (ModelFixture asked = register(wire, Map.of())) {
            asked.model()
                    .next(
                            Script.answer()
                                    .call("a", "here__meet", "{\"what\":\"one\"}")
                                    .call("b", "here__meet", "{\"what\":\"two\"}"),
                            Script.answer().text("Both."));
            assertThat(results(asked.ask("r", "Meet"))).containsExactly("met one", "met two");
            assertThat(asked.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void unknownToolIsReportedToTheModel(Wire wire) {
        try (ModelFixture asked = register(wire, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().call("a", "here__nothing", "{}"),
                            Script.answer().text("I see."));
            List<AgentCaller.Frame> frames = asked.ask("r", "Go");
            assertThat(results(frames)).singleElement().asString().contains("no tool", "here__look");
            JsonNode told = frames.stream()
                    .filter(frame -> frame.type().equals("TOOL_CALL_RESULT"))
                    .findFirst()
                    .orElseThrow()
                    .data();
            assertThat(told.at("/metadata/tool_failed").asBoolean(false)).isTrue();
            assertThat(told.at("/metadata/error").isMissingNode()).isTrue();
            assertThat(ModelFixture.said(frames)).isEqualTo("I see.");
            asked.model().next(Script.answer().text("Yes."));
            asked.ask("r2", "Really?");
            assertThat(asked.requests().getLast().text()).contains("no tool").doesNotContain("(error:");
        }
    }

    @Test
    void argumentsThatAreNoObjectAreReportedToTheModel() {
        try (ModelFixture asked = register(Wire.OPENAI, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().call("a", "here__look", "{\"what\":"),
                            Script.answer().text("Sorry."));
            assertThat(results(asked.ask("r", "Go"))).singleElement().asString().contains("JSON object");
            asked.requests();
        }
    }

    @Test
    void requestsOfOneRunHaveALimit() {
        try (ModelFixture asked = register(Wire.ANTHROPIC, Map.of("max_requests", 2))) {
            asked.model()
                    .next(
                            Script.answer().call("a1", "here__look", "{}"),
                            Script.answer().text("Enough."),
                            Script.answer().call("a2", "here__look", "{}"),
                            Script.answer().call("a3", "here__look", "{}"));
            assertThat(ModelFixture.said(asked.ask("fits", "Go"))).isEqualTo("Enough.");
            assertThat(asked.failure("too-many").get("code").asString()).isEqualTo("too_many_model_requests");
            assertThat(asked.requests()).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aToolOfTheAppEndsTheRunAndItsAnswerGoesOn(Wire wire) {
        try (ModelFixture asked = register(wire, Map.of())) {
            asked.model()
                    .next(
                            Script.answer()
                                    .call("s1", "here__look", "{\"what\":\"sky\"}")
                                    .call("f1", "pick", "{\"from\":[1,2]}"),
                            Script.answer().text("You picked 2."));
            Map<String, Object> input = asked.input("r1", "Let me pick");
            input.put(
                    "tools",
                    List.of(Map.of(
                            "name",
                            "pick",
                            "description",
                            "Lets the user pick",
                            "parameters",
                            Map.of(
                                    "type",
                                    "object",
                                    "properties",
                                    Map.of("from", Map.of("type", "array", "items", Map.of("type", "integer")))))));
            List<AgentCaller.Frame> frames = asked.ask(input);
            assertThat(results(frames)).containsExactly("seen: sky");
            JsonNode pending = frames.getLast().data().at("/outcome/pendingToolCallIds");
            assertThat(pending.size()).isEqualTo(1);
            assertThat(asked.requests().getFirst().text()).contains("\"pick\"", "\"here__look\"");

            Map<String, Object> next = asked.input("r2", "There");
            next.put(
                    "messages",
                    List.of(
                            Map.of("id", "u2", "role", "user", "content", "There"),
                            Map.of(
                                    "id",
                                    "t1",
                                    "role",
                                    "tool",
                                    "toolCallId",
                                    pending.get(0).asString(),
                                    "content",
                                    "picked 2")));
            assertThat(ModelFixture.said(asked.ask(next))).isEqualTo("You picked 2.");
            assertThat(asked.requests().getLast().text()).contains("picked 2", "seen: sky", "There");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void modelWithoutToolSupportGetsToolsAsText(Wire wire) {
        try (ModelFixture asked = register(wire, Map.of("tools", "prompt"))) {
            asked.model()
                    .next(
                            Script.answer()
                                    .text("Let me see.\n``", "`tool_", "call\n{\"name\": \"here__look\", ")
                                    .text("\"arguments\": {\"what\": \"it\"}}\n`", "``\n"),
                            Script.answer().text("It is ", "`blue`."));
            List<AgentCaller.Frame> frames = asked.ask("r", "Look");
            assertThat(results(frames)).containsExactly("seen: it");
            assertThat(ModelFixture.said(frames)).isEqualTo("Let me see.\nIt is `blue`.");
            assertThat(asked.requests().getFirst().text())
                    .contains("TOOLS_START", "here__look", "tool_call")
                    .doesNotContain("input_schema", "functionDeclarations");
            assertThat(asked.requests().getLast().text()).contains("seen: it");
        }
    }
}
