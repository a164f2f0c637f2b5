package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AnthropicWireTest {
    private final ScriptedModel model = ScriptedModel.start(Wire.ANTHROPIC);
    private final Asking asking = new Asking(model);

    @AfterEach
    void close() {
        asking.close();
        model.close();
    }

    @Test
    void everyEventIsNamedAsItsJsonSays() throws IOException {
        model.next(Script.answer().text("Hi"));
        List<String> lines = asking.lines();
        for (int i = 0; i < lines.size(); i += 3) {
            String name = lines.get(i).substring("event: ".length());
            assertThat(lines.get(i + 1)).startsWith("data: {\"type\":\"" + name + "\"");
            assertThat(lines.get(i + 2)).isEmpty();
        }
    }

    @Test
    void thoughtsTextAndCallsAreBlocksOneAfterTheOther() throws IOException {
        model.next(Script.answer()
                .thinking("Hm", "m")
                .text("Hel", "lo")
                .call("c1", "first", "{\"a\"", ":1}")
                .call("c2", "second")
                .usage(10, 4, 3));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/type"))
                .containsExactly(
                        "message_start",
                        "ping",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "message_delta",
                        "message_stop");
        assertThat(Asking.at(frames, "/content_block/type"))
                .containsExactly("thinking", "text", "tool_use", "tool_use");
        assertThat(Asking.at(frames, "/content_block/id")).containsExactly("c1", "c2");
        assertThat(Asking.at(frames, "/delta/thinking")).containsExactly("Hm", "m");
        assertThat(Asking.at(frames, "/delta/signature")).hasSize(1);
        assertThat(Asking.at(frames, "/delta/text")).containsExactly("Hel", "lo");
        assertThat(Asking.at(frames, "/delta/partial_json")).containsExactly("", "{\"a\"", ":1}", "", "{}");
        assertThat(Asking.at(frames, "/delta/stop_reason")).containsExactly("tool_use");
        assertThat(Asking.at(frames, "/message/usage/input_tokens")).containsExactly("7");
        assertThat(Asking.at(frames, "/message/usage/cache_read_input_tokens")).containsExactly("3");
        assertThat(Asking.at(frames, "/usage/output_tokens")).containsExactly("4");
    }

    @Test
    void theWholeAnswerSaysTheSame() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").call("c1", "first", "{\"a\"", ":1}"));
        JsonNode whole = asking.whole();
        assertThat(Asking.at(whole.path("content").valueStream().toList(), "/type"))
                .containsExactly("thinking", "text", "tool_use");
        assertThat(whole.at("/content/1/text").asString()).isEqualTo("Hello");
        assertThat(whole.at("/content/2/input/a").asInt()).isEqualTo(1);
        assertThat(whole.at("/stop_reason").asString()).isEqualTo("tool_use");
    }
}
