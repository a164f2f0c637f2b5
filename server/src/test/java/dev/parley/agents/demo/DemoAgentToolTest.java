package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Turn;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.guard.Transcript;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The demo agent's tool calls and approvals. */
class DemoAgentToolTest {
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
        JsonNode hints = PlayedTurn.metadata(answer).at("/worker_agent_output/ui_hints");
        assertThat(hints).isEqualTo(PlayedTurn.metadata(result).at("/tool_agent_output/ui_hints"));
        assertThat(hints.path("status").asString()).isEqualTo("success");
        assertThat(hints.path("title").asString()).contains(city);
        assertThat(hints.path("body").asString()).isNotEmpty();
        assertThat(hints.path("items").valueStream())
                .isNotEmpty()
                .allSatisfy(item -> assertThat(item.propertyNames()).containsExactly("label", "value"));
        assertThat(played.steps())
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
    void approvalInterruptsTheRun() {
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
}
