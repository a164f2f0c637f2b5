package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenAiWireTest {
    private final ScriptedModel model = ScriptedModel.start(Wire.OPENAI);
    private final Asking asking = new Asking(model);

    @AfterEach
    void close() {
        asking.close();
        model.close();
    }

    @Test
    void aRoleComesFirstThenTheTextThenTheReasonTheUsageAndTheEnd() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").usage(10, 4, 3));
        List<String> lines = asking.lines();
        assertThat(lines).endsWith("data: [DONE]", "");
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").usage(10, 4, 3));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/object")).containsOnly("chat.completion.chunk");
        assertThat(Asking.at(frames, "/choices/0/delta/role")).containsExactly("assistant");
        assertThat(Asking.at(frames, "/choices/0/delta/reasoning_content")).containsExactly("Hm");
        assertThat(Asking.at(frames, "/choices/0/delta/content")).containsExactly("", "Hel", "lo");
        assertThat(Asking.at(frames, "/choices/0/finish_reason")).containsExactly("stop");
        assertThat(frames.getLast().at("/choices")).isEmpty();
        assertThat(frames.getLast().at("/usage/prompt_tokens").asInt()).isEqualTo(10);
        assertThat(frames.getLast().at("/usage/completion_tokens").asInt()).isEqualTo(4);
        assertThat(frames.getLast()
                        .at("/usage/prompt_tokens_details/cached_tokens")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void usageIsSentOnlyOnRequest() throws IOException {
        model.next(Script.answer().text("Hi"));
        String body = "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}";
        try (var in = asking.open("/chat/completions", body).body()) {
            assertThat(new String(in.readAllBytes(), UTF_8)).doesNotContain("usage");
        }
    }

    @Test
    void aCallIsNamedOnceAndItsArgumentsFollowInPieces() throws IOException {
        model.next(Script.answer().call("c1", "first", "{\"a\"", ":1}").call("c2", "second"));
        List<JsonNode> frames = asking.frames();
        assertThat(Asking.at(frames, "/choices/0/delta/tool_calls/0/index")).containsExactly("0", "0", "0", "1", "1");
        assertThat(Asking.at(frames, "/choices/0/delta/tool_calls/0/id")).containsExactly("c1", "c2");
        assertThat(Asking.at(frames, "/choices/0/delta/tool_calls/0/function/name"))
                .containsExactly("first", "second");
        assertThat(Asking.at(frames, "/choices/0/delta/tool_calls/0/function/arguments"))
                .containsExactly("", "{\"a\"", ":1}", "", "{}");
        assertThat(Asking.at(frames, "/choices/0/finish_reason")).containsExactly("tool_calls");
    }

    @Test
    void theWholeAnswerSaysTheSame() throws IOException {
        model.next(Script.answer().thinking("Hm").text("Hel", "lo").call("c1", "first", "{\"a\"", ":1}"));
        JsonNode whole = asking.whole();
        assertThat(whole.at("/object").asString()).isEqualTo("chat.completion");
        assertThat(whole.at("/choices/0/message/content").asString()).isEqualTo("Hello");
        assertThat(whole.at("/choices/0/message/reasoning_content").asString()).isEqualTo("Hm");
        assertThat(whole.at("/choices/0/message/tool_calls/0/function/arguments")
                        .asString())
                .isEqualTo("{\"a\":1}");
        assertThat(whole.at("/usage/total_tokens").asInt()).isEqualTo(18);
    }
}
