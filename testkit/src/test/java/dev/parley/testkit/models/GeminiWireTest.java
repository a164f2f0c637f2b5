package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class GeminiWireTest {
    private final ScriptedModel model = ScriptedModel.start(Wire.GEMINI);
    private final Asking asking = new Asking(model);

    @AfterEach
    void close() {
        asking.close();
        model.close();
    }

    @Test
    void partsComeOneAfterTheOtherAndTheLastChunkHasTheReason() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").usage(10, 4, 3));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/candidates/0/content/role")).containsOnly("model");
        assertThat(Asking.at(frames, "/candidates/0/content/parts/0/text")).containsExactly("Hm", "Hel", "lo", "");
        assertThat(Asking.at(frames, "/candidates/0/content/parts/0/thought")).containsExactly("true");
        assertThat(Asking.at(frames, "/candidates/0/finishReason")).containsExactly("STOP");
        JsonNode usage = frames.getLast().path("usageMetadata");
        assertThat(usage.path("promptTokenCount").asInt()).isEqualTo(10);
        assertThat(usage.path("candidatesTokenCount").asInt()).isEqualTo(4);
        assertThat(usage.path("cachedContentTokenCount").asInt()).isEqualTo(3);
        assertThat(Asking.at(frames, "/modelVersion")).containsOnly("m");
    }

    @Test
    void callsComeWholeWithAnIdIfTheyHaveOne() throws IOException {
        model.next(Script.answer().call("c1", "first", "{\"a\"", ":1}").call("", "second"));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/candidates/0/content/parts/0/functionCall"))
                .containsExactly(
                        "{\"name\":\"first\",\"id\":\"c1\",\"args\":{\"a\":1}}", "{\"name\":\"second\",\"args\":{}}");
        assertThat(Asking.at(frames, "/candidates/0/content/parts/0/thoughtSignature"))
                .isEmpty();
    }

    @Test
    void theFirstCallAfterAThoughtIsSigned() throws IOException {
        model.next(Script.answer().thinking("Hm").call("c1", "first").call("c2", "second"));
        assertThat(Asking.at(asking.frames(), "/candidates/0/content/parts/0/thoughtSignature"))
                .hasSize(1);
    }

    @Test
    void theWholeAnswerSaysTheSame() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").call("c1", "first", "{\"a\"", ":1}"));
        JsonNode parts = asking.whole().at("/candidates/0/content/parts");
        assertThat(parts.at("/0/thought").asBoolean()).isTrue();
        assertThat(parts.at("/1/text").asString()).isEqualTo("Hello");
        assertThat(parts.at("/2/functionCall/args/a").asInt()).isEqualTo(1);
    }
}
