package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Turn;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.guard.Transcript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
        assertThat(steps(played)).containsExactly("STEP_STARTED execution", "STEP_FINISHED execution");
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

    @ParameterizedTest
    @CsvSource({
        "weather in Paris,Paris",
        "Weather IN  New York?!,New York",
        "weather in 北京？,北京",
        "weather in صنعاء؟,صنعاء",
        "weather in a\"b\\c,a\"b\\c"
    })
    void weatherComesFromATool(String text, String city) {
        PlayedTurn played = PlayedTurn.text(text);
        assertThat(played.transcript().items())
                .extracting(item -> item.getClass().getSimpleName())
                .containsExactly("Call", "Result", "Text");
        Transcript.Call call = played.items(Transcript.Call.class).getFirst();
        assertThat(call.name()).isEqualTo("get_weather");
        assertThat(call.parentMessageId()).isNotNull();
        assertThat(played.all(ToolEvent.Args.class)).hasSizeGreaterThan(2);
        assertThat(Json.MAPPER.readTree(call.arguments()))
                .isEqualTo(Json.MAPPER.createObjectNode().put("city", city))
                .hasToString(call.arguments());

        Transcript.Result result = played.items(Transcript.Result.class).getFirst();
        assertThat(result.toolCallId()).isEqualTo(call.id());
        JsonNode weather = Json.MAPPER.readTree(result.content().plainText());
        assertThat(weather.path("city").asString()).isEqualTo(city);

        Transcript.Text answer = played.texts().getFirst();
        assertThat(answer.text())
                .contains(
                        city,
                        weather.path("temperature_c").asString() + " °C",
                        weather.path("sky").asString());
        JsonNode hints = metadata(answer).at("/worker_agent_output/ui_hints");
        assertThat(hints).isEqualTo(metadata(result).at("/tool_agent_output/ui_hints"));
        assertThat(hints.path("status").asString()).isEqualTo("success");
        assertThat(hints.path("title").asString()).contains(city);
        assertThat(hints.path("body").asString()).isNotEmpty();
        assertThat(hints.path("items").valueStream())
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.propertyNames()).containsExactly("label", "value"));
        assertThat(steps(played))
                .containsExactly(
                        "STEP_STARTED intent",
                        "STEP_FINISHED intent",
                        "STEP_STARTED tool_execution",
                        "STEP_FINISHED tool_execution",
                        "STEP_STARTED execution",
                        "STEP_FINISHED execution");
    }

    @Test
    void sameCityHasTheSameWeather() {
        assertThat(PlayedTurn.text("weather in paris").texts().getFirst().text())
                .isEqualToIgnoringCase(
                        PlayedTurn.text("WEATHER in Paris?").texts().getFirst().text());
        assertThat(Weather.in("Zu\u0308rich").celsius())
                .isEqualTo(Weather.in("Z\u00fcrich").celsius());
        assertThat(List.of("Paris", "Oslo", "Lima", "北京", "Cairo", "Perth"))
                .extracting(city -> Weather.in(city).celsius())
                .satisfies(degrees -> assertThat(degrees.stream().distinct()).hasSizeGreaterThan(2));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "'/tool paint {\"color\": 1.50, \"名\":\"👍🏽\"}', '{\"color\": 1.50, \"名\":\"👍🏽\"}'",
                "'/tool paint', '{}'",
                "'/tool\npaint\n{}', '{}'"
            })
    void toolOfTheAppIsLeftPending(String text, String arguments) {
        PlayedTurn played = PlayedTurn.withTools(text, "other", "paint");
        assertThat(played.transcript().items()).singleElement().satisfies(item -> {
            Transcript.Call call = (Transcript.Call) item;
            assertThat(call.name()).isEqualTo("paint");
            assertThat(call.arguments()).isEqualTo(arguments);
            assertThat(call.parentMessageId()).isNotNull();
            assertThat(call.marks().state()).isEqualTo(Transcript.State.COMPLETE);
            assertThat(played.ending())
                    .isEqualTo(new RunEvent.Finished("t", "r", new Outcome.Success(List.of(call.id()))));
        });
        assertThat(played.events().getLast()).isInstanceOf(RunEvent.Finished.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tool nothing {}",
                "/tool Paint {}",
                "/tool paint {",
                "/tool paint [1]",
                "/tool paint {} {}",
                "/tool paint null"
            })
    void impossibleCallIsAnsweredWithTheKnownTools(String text) {
        assertThat(PlayedTurn.withTools(text, "other", "paint").answer()).contains("other, paint");
        assertThat(PlayedTurn.text(text).answer()).contains("no tools");
    }

    @Test
    void toolResultsAreQuotedForAnyText() {
        Message asked =
                new Message.Assistant("m", null, null, List.of(new ToolCall("c1", "paint", "{}")), null, null, null);
        List<Message.Tool> results = List.of(result("c1", "a  red\nhouse", null), result("c2", "", "no paint"));
        Turn turn = PlayedTurn.turnOf("/fail", List.of(), List.of(asked), results, List.of());
        assertThat(PlayedTurn.turn(turn).answer())
                .isEqualTo("The tool paint answered: a  red\nhouse\nThe tool c2 answered:  (error: no paint)");
    }

    @Test
    void anApprovalInterruptsTheRun() {
        PlayedTurn played = PlayedTurn.text("/approve Delete  everything? 好");
        assertThat(played.transcript().items()).isEmpty();
        ObjectNode schema = (ObjectNode) Json.MAPPER.readTree("""
                {"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}""");
        Interrupt asked = new Interrupt("id1", "approval", "Delete  everything? 好", null, schema, null, null, null);
        assertThat(played.ending()).isEqualTo(new RunEvent.Finished("t", "r", new Outcome.Interrupted(List.of(asked))));
    }

    @Test
    void decisionsAreReported() {
        List<Turn.Answer> answers = List.of(
                decided("one", ResumeEntry.Status.RESOLVED, "{\"approved\": true}"),
                decided("two", ResumeEntry.Status.RESOLVED, "{\"approved\": false}"),
                decided("three", ResumeEntry.Status.RESOLVED, null),
                decided("four", ResumeEntry.Status.CANCELLED, "{\"approved\": true}"),
                decided("five", ResumeEntry.Status.RESOLVED, "{\"approved\": false, \"why\": \"no\"}"),
                decided("six", ResumeEntry.Status.RESOLVED, "[1, 2]"),
                decided(null, ResumeEntry.Status.RESOLVED, "{\"approved\": \"yes\"}"));
        assertThat(PlayedTurn.turn(PlayedTurn.turnOf("", List.of(), List.of(), List.of(), answers))
                        .answer())
                .isEqualTo("""
                        Approved: one
                        Declined: two
                        Approved: three
                        Cancelled: four
                        Declined: five {"approved":false,"why":"no"}
                        Answered: six [1,2]
                        Answered: i {"approved":"yes"}""");
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
    void nonsenseIsNoNumberOfWords(String number) {
        PlayedTurn played = PlayedTurn.text("/slow " + number);
        assertThat(played.answer()).contains("from 1 to 10000");
        assertThat(played.pauses()).isEmpty();
    }

    @Test
    void thinkingComesBeforeTheAnswer() {
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
    void aStateIsNotTooDeepForItsEvent() {
        assertThat(PlayedTurn.text("/state " + nested(32)).all(StateEvent.class))
                .hasSize(2);
        assertThat(PlayedTurn.text("/state " + nested(33)).all(StateEvent.class))
                .isEmpty();
        assertThat(PlayedTurn.text("/state " + nested(100_000)).all(StateEvent.class))
                .isEmpty();
    }

    @Test
    void aCardIsAnAnswerWithHints() {
        PlayedTurn played = PlayedTurn.text("/card Hello 世界");
        assertThat(played.answer()).contains("Hello 世界");
        JsonNode hints = metadata(played.texts().getFirst()).at("/worker_agent_output/ui_hints");
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
                assertThat(metadata(item).toString().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan((int) Limits.defaults().requests().metadataBytes());
            }
        }
    }

    @Test
    void aTeamSpeaksInTurnsAndTheAgentSumsUp() {
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
    void aFailureComesAfterTwoWords() {
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

    private static List<String> steps(PlayedTurn played) {
        return played.all(StepEvent.class).stream()
                .map(step -> step.type() + " " + step.stepName())
                .toList();
    }

    private static ObjectNode metadata(Transcript.Item item) {
        return Objects.requireNonNull(item.marks().metadata());
    }

    private static Message.Tool result(String call, String content, @Nullable String error) {
        return new Message.Tool("m-" + call, new Content.Text(content), call, error, null, null, null);
    }

    private static Turn.Answer decided(@Nullable String question, ResumeEntry.Status status, @Nullable String payload) {
        return new Turn.Answer(
                new Interrupt("i", "approval", question, null, null, null, null, null),
                new ResumeEntry("i", status, payload == null ? null : Json.MAPPER.readTree(payload), null),
                UuidV7.at(1, 2, 3),
                null);
    }

    private static String nested(int levels) {
        return "{\"a\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }
}
