package dev.parley.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import dev.parley.testkit.models.Hold;
import dev.parley.testkit.models.ModelRequest;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.ScriptedModel;
import dev.parley.testkit.models.Stop;
import dev.parley.testkit.models.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** The scripted models that other tests stand on, as the providers' own SDKs see them: what these read is no invention. */
class ScriptedModelsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration LEAVING = Duration.ofSeconds(20);
    private static final Pattern SCENARIO = Pattern.compile("scenario-([a-z]+)");

    @TestFactory
    List<DynamicContainer> theUnmodifiedSdksWork() {
        NodeProject project = NodeProject.installed("models");
        return Arrays.stream(Wire.values())
                .map(wire -> DynamicContainer.dynamicContainer(wire.name(), checks(project, wire)))
                .toList();
    }

    private static List<DynamicTest> checks(NodeProject project, Wire wire) {
        try (ScriptedModel model = ScriptedModel.start(wire).otherwise(request -> script(wire, request))) {
            String name = wire.name().toLowerCase(Locale.ROOT) + ".mjs";
            NodeProject.Output output = project.run(name, LIMIT, Map.of("MODEL_ORIGIN", model.origin()));
            boolean left = model.requests().stream()
                    .filter(request -> scenario(request).equals("leave"))
                    .anyMatch(request -> model.awaitClosed(request, LEAVING));
            return tests(output, left);
        }
    }

    private static List<DynamicTest> tests(NodeProject.Output output, boolean left) {
        List<JsonNode> lines = output.lines().stream()
                .filter(line -> line.startsWith("{"))
                .map(Json.MAPPER::readTree)
                .toList();
        List<JsonNode> checks = lines.stream().filter(line -> line.has("check")).toList();
        Stream<DynamicTest> end = Stream.of(
                DynamicTest.dynamicTest(
                        "the server sees the client leave",
                        () -> assertThat(left).isTrue()),
                DynamicTest.dynamicTest("all of them", () -> {
                    assertThat(output.exit()).as(output.text()).isZero();
                    assertThat(checks).hasSizeGreaterThan(1);
                    assertThat(lines.getLast().path("done").asInt())
                            .as(output.text())
                            .isEqualTo(checks.size());
                }));
        return Stream.concat(checks.stream().map(ScriptedModelsTest::check), end)
                .toList();
    }

    private static DynamicTest check(JsonNode line) {
        String name = line.get("check").asString();
        return DynamicTest.dynamicTest(
                name,
                () -> assertThat(line.get("failure").asString("")).as(name).isEmpty());
    }

    /** The word that stands last in what the client said. */
    private static String scenario(ModelRequest request) {
        return SCENARIO.matcher(request.text())
                .results()
                .map(MatchResult::group)
                .reduce("", (first, second) -> second)
                .replace("scenario-", "");
    }

    private static Script script(Wire wire, ModelRequest request) {
        Script answer = Script.answer();
        return switch (scenario(request)) {
            case "text" -> answer.text("Hel", "lo ", "you").usage(12, 5, 4);
            case "thinking" -> answer.thinking("Let me ", "see").text("Yes");
            case "call" -> answer.text("I look.").call("call_1", "weather", "{\"city\":", "\"Paris\"}");
            case "parallel" ->
                answer.call("call_1", "weather", "{\"city\":\"Paris\"}")
                        .call("call_2", "time", "{\"zone\":", "\"UTC\"}");
            case "length" -> answer.text("Too lo").stop(Stop.LENGTH);
            case "limit" -> answer.status(429, Map.of("retry-after", "7"), "Slow down");
            case "cut" -> answer.text("one", "two", "three").cutAfter(2);
            case "fault" -> answer.text("one").errorInStream(fault(wire), "Overloaded");
            case "malformed" -> answer.text("one").malformed().text("two");
            case "leave" -> answer.text("one").hold(new Hold()).text("two");
            default -> answer.status(500, Map.of(), "No such scenario");
        };
    }

    private static String fault(Wire wire) {
        return switch (wire) {
            case OPENAI, OLLAMA -> "server_error";
            case ANTHROPIC -> "overloaded_error";
            case GEMINI -> "UNAVAILABLE";
        };
    }
}
