package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Hold;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Stop;
import dev.parley.testkit.models.Wire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Every failure of a provider ends its run with a code and a sentence, and the model's text so far is kept. */
class ModelFailureTest {
    @AutoClose
    private static final RunningServer server = ModelFixture.server("--limit-remote-frame", "64KB");

    private static void assertPartial(ModelFixture asked, String text) {
        JsonNode stored = asked.caller().messages(asked.thread()).getLast();
        assertThat(stored.get("content").asString()).isEqualTo(text);
        assertThat(stored.at("/metadata/partial").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void anAnswerThatBreaksOffIsTruncatedAndKept(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            Hold seen = new Hold();
            asked.model()
                    .next(Script.answer()
                            .text("a", "b", "c", "d", "e")
                            .hold(seen)
                            .text("f", "g")
                            .cutAfter(5));
            asked.start(asked.input("r", "Spell"));
            asked.caller()
                    .frames(
                            "/api/v1/agent/runs/" + asked.thread() + "/events?runId=r",
                            frame -> frame.data().path("delta").asString("").endsWith("e"));
            seen.release();
            JsonNode error = ModelFixture.failed(asked.caller().follow(asked.thread(), "r"));
            assertThat(error.get("code").asString()).isEqualTo("model_truncated");
            assertPartial(asked, "abcde");
            assertThat(asked.requests())
                    .as("an answered request is not repeated")
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aBrokenFrameEndsTheRun(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().text("a").malformed().text("b"));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_protocol");
            assertPartial(asked, "a");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Wire.class, mode = EnumSource.Mode.EXCLUDE, names = "OLLAMA")
    void anAnswerThatIsNoStreamIsNotAskedForAgain(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().statusWithBody(200, Map.of("Content-Type", "application/json"), "{}"));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_protocol");
            assertThat(asked.model().requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void anErrorInTheMiddleOfAnAnswerEndsIt(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().text("a").errorInStream("overloaded_error", "Too many of you"));
            JsonNode error = asked.failure("r");
            assertThat(error.get("code").asString()).isEqualTo("model_overloaded");
            assertThat(error.get("message").asString()).doesNotContain("Too many of you");
            assertPartial(asked, "a");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void silenceBeforeAnAnswerAndInItsMiddleEndsTheRun(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of("silence_seconds", 1))) {
            asked.model()
                    .next(Script.answer().silent(), Script.answer().text("a").hold(new Hold()));
            assertThat(asked.failure("before").get("code").asString()).isEqualTo("model_silent");
            assertThat(asked.failure("within").get("code").asString()).isEqualTo("model_silent");
            assertPartial(asked, "a");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void permanentStatusesAreNotRetried(Wire wire) {
        Map<Integer, String> codes = Map.of(
                400, "model_refused_request",
                401, "model_unauthorized",
                403, "model_unauthorized",
                404, "model_address_not_found",
                302, "model_protocol");
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            codes.forEach((status, code) -> {
                int before = asked.model().requests().size();
                asked.model().next(Script.answer().status(status, Map.of("Location", "/elsewhere"), "No."));
                assertThat(asked.failure("r" + status).get("code").asString()).isEqualTo(code);
                assertThat(asked.model().requests()).hasSize(before + 1);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aContextThatIsTooLongIsRecognised(Wire wire) {
        List<String> words = switch (wire) {
            case OPENAI -> List.of("This model's maximum context length is 8192 tokens.", "context_length_exceeded");
            case ANTHROPIC -> List.of("prompt is too long: 210000 tokens > 200000 maximum");
            case GEMINI -> List.of("The input token count (9) exceeds the maximum number of tokens allowed (8).");
            case OLLAMA -> List.of("the input length exceeds the context window");
        };
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            for (String each : words) {
                asked.model().next(Script.answer().status(400, Map.of(), each));
                assertThat(asked.failure("r" + each.length()).get("code").asString())
                        .isEqualTo("context_too_long");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Wire.class,
            names = {"OPENAI", "ANTHROPIC", "GEMINI"})
    void filteredAnswerEndsTheRun(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().text("I").stop(Stop.REFUSED));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("content_filtered");
            assertPartial(asked, "I");
        }
    }

    @Test
    void aFrameHasALimit() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().text("x".repeat(60_000)),
                            Script.answer().text("x".repeat(66_000)));
            assertThat(AgentCaller.types(asked.ask("fits", "Hi"))).endsWith("RUN_FINISHED");
            assertThat(asked.failure("too-large").get("code").asString()).isEqualTo("model_protocol");
        }
    }

    @Test
    void missingServerIsUnreachable() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().close();
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_unreachable");
        }
    }
}
