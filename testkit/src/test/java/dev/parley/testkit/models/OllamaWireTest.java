package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OllamaWireTest {
    private final ScriptedModel model = ScriptedModel.start(Wire.OLLAMA);
    private final Asking asking = new Asking(model);

    @AfterEach
    void close() {
        asking.close();
        model.close();
    }

    @Test
    void eachPieceIsALineAndTheLastOneCounts() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").usage(10, 4));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/message/thinking")).containsExactly("Hm");
        assertThat(Asking.at(frames, "/message/content")).containsExactly("", "Hel", "lo", "");
        assertThat(Asking.at(frames, "/done")).containsExactly("false", "false", "false", "true");
        assertThat(Asking.at(frames, "/done_reason")).containsExactly("stop");
        assertThat(Asking.at(frames, "/prompt_eval_count")).containsExactly("10");
        assertThat(Asking.at(frames, "/eval_count")).containsExactly("4");
    }

    @Test
    void callsComeWhole() throws IOException {
        model.next(Script.answer().call("c1", "first", "{\"a\"", ":1}").call("", "second"));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/message/tool_calls/0/id")).containsExactly("c1");
        assertThat(Asking.at(frames, "/message/tool_calls/0/function"))
                .containsExactly(
                        "{\"index\":0,\"name\":\"first\",\"arguments\":{\"a\":1}}",
                        "{\"index\":1,\"name\":\"second\",\"arguments\":{}}");
    }

    @Test
    void theWholeAnswerSaysTheSame() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").call("c1", "first", "{\"a\"", ":1}"));
        JsonNode whole = asking.whole();
        assertThat(whole.at("/message/content").asString()).isEqualTo("Hello");
        assertThat(whole.at("/message/thinking").asString()).isEqualTo("Hm");
        assertThat(whole.at("/message/tool_calls/0/function/arguments/a").asInt())
                .isEqualTo(1);
        assertThat(whole.at("/done").asBoolean()).isTrue();
    }
}
