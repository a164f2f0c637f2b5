package dev.parley.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.NodeChecks;
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

/** The scripted models of other tests, read by the providers' own unmodified SDKs. */
class ScriptedModelsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration LEAVING = Duration.ofSeconds(20);
    private static final Pattern SCENARIO = Pattern.compile("scenario-([a-z]+)");

    @TestFactory
    List<DynamicContainer> unmodifiedSdksWork() {
        return NodeProject.everyVersion("models").stream()
                .flatMap(project -> Arrays.stream(Wire.values())
                        .map(wire -> DynamicContainer.dynamicContainer(
                                wire.name() + " " + project.versions(), checks(project, wire))))
                .toList();
    }

    private static List<DynamicTest> checks(NodeProject project, Wire wire) {
        try (ScriptedModel model = ScriptedModel.start(wire).otherwise(request -> script(wire, request))) {
            String name = wire.name().toLowerCase(Locale.ROOT) + ".mjs";
            NodeProject.Output output = project.run(name, LIMIT, Map.of("MODEL_ORIGIN", model.origin()));
            boolean left = model.requests().stream()
                    .filter(request -> scenario(request).equals("leave"))
                    .anyMatch(request -> model.awaitClosed(request, LEAVING));
            DynamicTest leaving = DynamicTest.dynamicTest(
                    "the server sees the client leave", () -> assertThat(left).isTrue());
            return Stream.concat(NodeChecks.of(output, 2), Stream.of(leaving)).toList();
        }
    }

    /** The last scenario that the client's text names. */
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
