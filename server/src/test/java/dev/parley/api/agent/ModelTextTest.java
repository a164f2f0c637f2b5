package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Hold;
import dev.parley.testkit.models.ModelRequest;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Stop;
import dev.parley.testkit.models.Wire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Texts of models of all providers, as clients of the server see them. */
class ModelTextTest {
    @AutoClose
    private static final RunningServer server = ModelFixture.server();

    @ParameterizedTest
    @EnumSource(Wire.class)
    void textIsShownAndStored(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of("instructions", "Be brief."))) {
            asked.model().next(Script.answer().text("Hello ", "you ", "👋").usage(12, 3));
            List<AgentCaller.Frame> frames = asked.ask("r", "Hi there");
            assertThat(AgentCaller.types(frames))
                    .containsExactly(
                            "RUN_STARTED",
                            "STEP_STARTED",
                            "TEXT_MESSAGE_START",
                            "TEXT_MESSAGE_CONTENT",
                            "TEXT_MESSAGE_CONTENT",
                            "TEXT_MESSAGE_CONTENT",
                            "TEXT_MESSAGE_END",
                            "STEP_FINISHED",
                            "RUN_FINISHED");
            JsonNode stored = asked.caller().messages(asked.thread()).getLast();
            assertThat(stored.get("content").asString()).isEqualTo("Hello you 👋");
            assertThat(stored.get("sender_id").asString()).isEqualTo("agent:" + asked.agent());
            assertThat(stored.at("/metadata/stage").asString()).isEqualTo("execution");
            ModelRequest request = asked.requests().getFirst();
            assertThat(request.text()).contains("Hi there", "Be brief.");
            assertThat(request.headers().values()).anyMatch(value -> value.contains(ModelFixture.KEY));
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void eachDeltaIsShownBeforeTheNextOneIsThere(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            Hold hold = new Hold();
            asked.model().next(Script.answer().text("One ").hold(hold).text("two"));
            asked.start(asked.input("r", "Count"));
            List<AgentCaller.Frame> first = asked.caller()
                    .frames(
                            "/api/v1/agent/runs/" + asked.thread() + "/events?runId=r",
                            frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
            assertThat(ModelFixture.said(first)).isEqualTo("One ");
            hold.release();
            assertThat(ModelFixture.said(asked.caller().follow(asked.thread(), "r")))
                    .isEqualTo("One two");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void reasoningIsShownBeforeTheText(Wire wire) {
        Map<String, Object> config = switch (wire) {
            case OPENAI -> Map.of("reasoning", "low");
            case ANTHROPIC, GEMINI -> Map.of("reasoning", 2_000);
            case OLLAMA -> Map.of("reasoning", true);
        };
        try (ModelFixture asked = ModelFixture.register(server, wire, config)) {
            asked.model().next(Script.answer().thinking("Hm, ", "well").text("Yes."));
            List<AgentCaller.Frame> frames = asked.ask("r", "Is it?");
            assertThat(AgentCaller.types(frames))
                    .containsSubsequence(
                            "REASONING_START",
                            "REASONING_MESSAGE_START",
                            "REASONING_MESSAGE_CONTENT",
                            "REASONING_MESSAGE_END",
                            "REASONING_END",
                            "TEXT_MESSAGE_START",
                            "RUN_FINISHED");
            JsonNode stored = asked.caller().messages(asked.thread()).getLast();
            assertThat(stored.at("/metadata/reasoning/0/content").asString()).isEqualTo("Hm, well");
            asked.requests();
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void anAnswerThatIsAsLongAsItMayBeCompletesAndSaysSo(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of("max_output_tokens", 5))) {
            asked.model().next(Script.answer().text("Once upon a").stop(Stop.LENGTH));
            assertThat(AgentCaller.types(asked.ask("r", "Tell"))).endsWith("RUN_FINISHED");
            JsonNode stored = asked.caller().messages(asked.thread()).getLast();
            assertThat(stored.at("/metadata/finish_reason").asString()).isEqualTo("length");
            assertThat(asked.requests().getFirst().text()).containsPattern(": ?5[,\\s}]");
        }
    }
}
