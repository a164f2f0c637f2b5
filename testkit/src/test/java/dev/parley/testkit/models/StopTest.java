package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Each provider's words for the end of an answer. */
class StopTest {
    @ParameterizedTest
    @CsvSource({
        "OPENAI,stop,length,tool_calls,content_filter",
        "ANTHROPIC,end_turn,max_tokens,tool_use,refusal",
        "GEMINI,STOP,MAX_TOKENS,STOP,SAFETY",
        "OLLAMA,stop,length,stop,stop"
    })
    void everyReasonHasItsWord(Wire wire, String end, String length, String calls, String refused) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            Script text = Script.answer().text("Hi");
            model.next(
                    text,
                    text.stop(Stop.LENGTH),
                    text.call("c1", "first"),
                    text.stop(Stop.REFUSED),
                    text.call("c1", "first").stop(Stop.END),
                    text.stop("unheard_of"));
            for (String word : List.of(end, length, calls, refused, end, "unheard_of")) {
                assertThat(reasons(asking.frames())).containsExactly(word);
            }
        }
    }

    private static List<String> reasons(List<JsonNode> frames) {
        return Stream.of("/choices/0/finish_reason", "/delta/stop_reason", "/candidates/0/finishReason", "/done_reason")
                .flatMap(pointer -> Asking.at(frames, pointer).stream())
                .toList();
    }
}
