package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.guard.Transcript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The demo agent's answer to each kind of text. */
class DemoAgentTest {
    private static final RunEvent.Finished FINISHED = new RunEvent.Finished("t", "r");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello",
                "  two  spaces\r\n\tand lines \n",
                "今天北京的天气怎么样？",
                "مرحبا بالعالم",
                "👨‍👩‍👧 🇩🇪 e\u0301 नमस्ते",
                "\u0301 begins with a mark",
                "say /card later",
                "/unknown command",
                "/cardinal",
                "weather in ?",
                "weather inside",
                "whether in Paris",
                "{\"json\": true}"
            })
    void otherTextIsEchoedUnchanged(String text) {
        PlayedTurn played = PlayedTurn.text(text);
        assertThat(played.answer()).isEqualTo("You said: " + text);
        assertThat(played.ending()).isEqualTo(FINISHED);
        assertThat(played.steps()).containsExactly("STEP_STARTED execution", "STEP_FINISHED execution");
    }

    @Test
    void answerIsStreamedWordByWord() {
        assertThat(PlayedTurn.text("big\n世界").events())
                .containsExactly(
                        new StepEvent.Started("execution"),
                        new TextEvent.Start("id1"),
                        new TextEvent.Content("id1", "You "),
                        new TextEvent.Content("id1", "said: "),
                        new TextEvent.Content("id1", "big\n"),
                        new TextEvent.Content("id1", "世界"),
                        new TextEvent.End("id1"),
                        new StepEvent.Finished("execution"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void blankTextIsAnsweredWithHelp(String text) {
        assertThat(PlayedTurn.text(text).answer()).contains("/help");
    }

    @Test
    void slowWordsKeepTheirPace() {
        PlayedTurn played = PlayedTurn.text("/slow 5");
        assertThat(played.answer().split(" ")).hasSize(5);
        assertThat(played.all(TextEvent.Content.class)).hasSize(5);
        assertThat(played.pauses()).hasSize(4).containsOnly(Duration.ofMillis(50));
        assertThat(PlayedTurn.text("/slow 001").all(TextEvent.Content.class)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10001", "99999", "100000", "99999999999999999999999"})
    void tooManySlowWordsAreCutOffWithANotice(String number) {
        PlayedTurn played = PlayedTurn.text("/slow " + number);
        assertThat(played.texts()).hasSize(2);
        assertThat(played.texts().getFirst().text()).contains("10000");
        assertThat(played.texts().getLast().text().split(" ")).hasSize(10_000);
        assertThat(PlayedTurn.text("/slow 10000").answer().split(" ")).hasSize(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "000", "-1", "many", "1.5", "5 words", "٣"})
    void invalidNumberOfWordsIsAnsweredWithTheRange(String number) {
        PlayedTurn played = PlayedTurn.text("/slow " + number);
        assertThat(played.answer()).contains("from 1 to 10000");
        assertThat(played.pauses()).isEmpty();
    }

    @Test
    void reasoningPrecedesTheAnswer() {
        PlayedTurn played = PlayedTurn.text("/think about  中文");
        assertThat(played.transcript().items())
                .extracting(item -> item.getClass().getSimpleName())
                .containsExactly("Reasoning", "Text");
        assertThat(played.items(Transcript.Reasoning.class).getFirst().text()).contains("about  中文");
        assertThat(played.texts().getFirst().text()).isEqualTo("You said: about  中文");
        assertThat(played.types())
                .containsSubsequence(
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "TEXT_MESSAGE_START");
        assertThat(played.all(ReasoningEvent.MessageContent.class)).hasSizeGreaterThan(3);
    }

    @Test
    void stateIsSetAndThenChanged() {
        PlayedTurn played = PlayedTurn.text("/state {\"count\": 1.50, \"updated\": null, \"名\": [\"👍🏽\"]}");
        assertThat(played.all(StateEvent.class))
                .containsExactly(
                        new StateEvent.Snapshot(
                                Json.MAPPER.readTree("{\"count\": 1.50, \"updated\": null, \"名\": [\"👍🏽\"]}")),
                        new StateEvent.Delta(Json.MAPPER
                                .createArrayNode()
                                .add(Json.MAPPER
                                        .createObjectNode()
                                        .put("op", "add")
                                        .put("path", "/updated")
                                        .put("value", true))));
        assertThat(played.answer()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1]", "1", "null", "{\"a\":1,\"a\":2}", "{} {}", "nonsense"})
    void nonObjectIsRefusedAsState(String json) {
        PlayedTurn played = PlayedTurn.text("/state " + json);
        assertThat(played.all(StateEvent.class)).isEmpty();
        assertThat(played.answer()).contains("JSON object");
    }

    @Test
    void stateIsRefusedIfTooDeepForItsEvent() {
        assertThat(PlayedTurn.text("/state " + nested(32)).all(StateEvent.class))
                .hasSize(2);
        assertThat(PlayedTurn.text("/state " + nested(33)).all(StateEvent.class))
                .isEmpty();
        assertThat(PlayedTurn.text("/state " + nested(100_000)).all(StateEvent.class))
                .isEmpty();
    }

    @Test
    void cardIsAnAnswerWithHints() {
        PlayedTurn played = PlayedTurn.text("/card Hello 世界");
        assertThat(played.answer()).contains("Hello 世界");
        JsonNode hints = PlayedTurn.metadata(played.texts().getFirst()).at("/worker_agent_output/ui_hints");
        assertThat(hints.path("status").asString()).isEqualTo("info");
        assertThat(hints.path("title").asString()).isEqualTo("Hello 世界");
        assertThat(hints.path("body").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/card ", "weather in "})
    void hintsStayWithinTheLimitOfMetadata(String command) {
        PlayedTurn played = PlayedTurn.text(command + "世".repeat(10_000));
        for (Transcript.Item item : played.transcript().items()) {
            if (!(item instanceof Transcript.Call)) {
                assertThat(PlayedTurn.metadata(item).toString().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan((int) Limits.defaults().requests().metadataBytes());
            }
        }
    }

    @Test
    void teamAnswersInTurnsAndTheAgentSumsUp() {
        PlayedTurn played = PlayedTurn.text("/team write  a 诗");
        List<SubagentEvent.Started> members = played.all(SubagentEvent.Started.class);
        assertThat(members).extracting(SubagentEvent.Started::name).containsExactly("Researcher", "Writer");
        assertThat(members)
                .extracting(member -> UuidV7.parseCanonical(member.subagentRunId())
                        .orElseThrow()
                        .version())
                .containsOnly(7);
        assertThat(played.all(SubagentEvent.Finished.class))
                .extracting(SubagentEvent.Finished::subagentRunId)
                .containsExactly(members.get(0).subagentRunId(), members.get(1).subagentRunId());
        assertThat(played.texts())
                .hasSize(3)
                .allSatisfy(text -> assertThat(text.text()).endsWith("write  a 诗"))
                .extracting(text -> text.marks().subagentRunId())
                .containsExactly(members.get(0).subagentRunId(), members.get(1).subagentRunId(), null);
        String turns = played.all(TextEvent.Content.class).stream()
                .map(content -> members.get(0).subagentRunId().equals(content.subagentRunId()) ? "R" : "W")
                .collect(Collectors.joining());
        assertThat(turns).startsWith("RWRWRW");
    }

    @Test
    void failureFollowsTwoWords() {
        PlayedTurn played = PlayedTurn.text("/fail");
        assertThat(played.ending())
                .isInstanceOfSatisfying(
                        RunEvent.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo("demo_failure"));
        assertThat(played.answer().split(" ")).hasSize(2);
        assertThat(played.texts().getFirst().marks().state()).isEqualTo(Transcript.State.CUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tool", "/approve", "/slow", "/think", "/state", "/card", "/team"})
    void bareCommandIsAnsweredWithItsUsage(String command) {
        assertThat(PlayedTurn.text(" " + command + "\n").answer()).contains(command + " <");
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(PlayedTurn.text("/help").answer().lines().map(line -> line.split("[ :]", 2)[0]))
                .containsExactly(
                        "/tool",
                        "/approve",
                        "/slow",
                        "/think",
                        "/state",
                        "/card",
                        "/team",
                        "/fail",
                        "/help",
                        "weather",
                        "anything");
    }

    @Test
    void commandsMayBeWrittenInCapitalsAndWithSpaceAroundThem() {
        assertThat(PlayedTurn.text("\n /CARD\tHi \n").texts().getFirst().text()).endsWith(": Hi");
    }

    @Test
    void everyEventIsInsideAStepOfItsSpeaker() {
        for (String text : List.of("Hi", "weather in Rome", "/tool x", "/slow 2", "/think x", "/state {}", "/team x")) {
            PlayedTurn played = PlayedTurn.withTools(text, "x");
            for (int i = 0; i < played.events().size(); i++) {
                if (played.events().get(i) instanceof AttributedEvent event
                        && (event instanceof TextEvent || event instanceof ToolEvent)) {
                    long open = played.events().subList(0, i).stream()
                            .filter(StepEvent.class::isInstance)
                            .map(StepEvent.class::cast)
                            .filter(step -> Objects.equals(step.subagentRunId(), event.subagentRunId()))
                            .mapToLong(step -> step instanceof StepEvent.Started ? 1 : -1)
                            .sum();
                    assertThat(open).as("%s: %s", text, event).isEqualTo(1);
                }
            }
        }
    }

    private static String nested(int levels) {
        return "{\"a\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }
}
