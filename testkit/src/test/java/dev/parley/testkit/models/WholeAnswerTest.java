package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JacksonException;

/** The forms of faults in an answer in one piece. */
class WholeAnswerTest {
    @ParameterizedTest
    @EnumSource
    void anErrorIsAStatus(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("one").errorInStream("UNAVAILABLE", "Overloaded"));
            HttpResponse<InputStream> answer = asking.open(Asking.path(wire, false), Asking.request(wire, false));
            try (InputStream in = answer.body()) {
                assertThat(answer.statusCode()).isEqualTo(500);
                assertThat(new String(in.readAllBytes(), UTF_8)).contains("Overloaded");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCutComesBeforeTheStatus(Wire wire) {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("one").cutAfter(1));
            assertThatThrownBy(asking::whole).isInstanceOf(UncheckedIOException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void brokenJsonIsTheBody(Wire wire) {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().malformed());
            assertThatThrownBy(asking::whole).isInstanceOf(JacksonException.class);
        }
    }
}
