package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Refusals without a script, and by one. */
class RefusalTest {
    @ParameterizedTest
    @EnumSource
    void aRequestThatBreaksARuleIsRefusedAndUsesNoScript(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("first"));
            String broken = Asking.request(wire, true).replace("user", "nobody");
            HttpResponse<InputStream> answer = asking.open(Asking.path(wire, true), broken);
            try (InputStream in = answer.body()) {
                assertThat(answer.statusCode()).isEqualTo(400);
                assertThat(new String(in.readAllBytes(), UTF_8)).contains("error", "nobody");
            }
            assertThat(model.requests().getFirst().violations()).isNotEmpty();
            assertThat(String.join("\n", asking.lines())).contains("first");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "OLLAMA", mode = EnumSource.Mode.EXCLUDE)
    void aMissingKeyIsRefusedUnlessTheServerNeedsNone(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            assertThat(asking.openWithoutKey().statusCode()).isEqualTo(401);
        }
        try (ScriptedModel model =
                        ScriptedModel.startKeyless(wire).next(Script.answer().text("first"));
                Asking asking = new Asking(model)) {
            assertThat(asking.openWithoutKey().statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithoutAScriptFailsUnlessThereIsAnAnswerForAll(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            assertThat(asking.open().statusCode()).isEqualTo(500);
            model.otherwise(request -> Script.answer().text("number " + request.number()));
            assertThat(String.join("\n", asking.lines())).contains("number 1");
            assertThat(asking.open("/elsewhere", Asking.request(wire, true)).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aBodyAsItStandsIsNotMadeTheProviders() throws IOException {
        try (ScriptedModel model = ScriptedModel.start(Wire.OPENAI);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().statusWithBody(502, Map.of(), "<html>Bad gateway</html>"));
            try (InputStream in = asking.open().body()) {
                assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("<html>Bad gateway</html>");
            }
        }
    }
}
