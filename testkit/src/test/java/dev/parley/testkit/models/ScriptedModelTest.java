package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every provider. */
class ScriptedModelTest {
    @ParameterizedTest
    @EnumSource
    void requestsAreAnsweredInTurnAndKept(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("first"), Script.answer().text("second"));
            assertThat(String.join("\n", asking.lines())).contains("first");
            assertThat(String.join("\n", asking.lines())).contains("second");
            assertThat(model.requests()).hasSize(2).allSatisfy(request -> {
                assertThat(request.method()).isEqualTo("POST");
                assertThat(request.header("Content-Type")).hasValue("application/json");
                assertThat(request.text()).isEqualTo(Asking.request(wire, true));
                assertThat(request.body()).isEqualTo(Json.MAPPER.readTree(request.text()));
                assertThat(request.violations()).isEmpty();
                assertThat(model.awaitEnding(request, Asking.LIMIT)).hasValue(Ending.WHOLE);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCutAnswerBreaksOffBehindItsDeltas(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            Hold hold = new Hold();
            model.next(
                    Script.answer().text("one", "two").hold(hold).text("three").cutAfter(2));
            try (InputStream in = asking.open().body()) {
                StringBuilder seen = new StringBuilder();
                while (seen.indexOf("two") < 0) {
                    seen.append((char) in.read());
                }
                hold.release();
                assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
                assertThat(seen.toString()).contains("one").doesNotContain("three");
            }
            assertThat(model.awaitEnding(model.requests().getFirst(), Asking.LIMIT))
                    .hasValue(Ending.CUT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStatusComesWithItsHeadersAndTheProvidersBody(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().status(429, Map.of("retry-after", "7"), "Slow down"));
            HttpResponse<InputStream> answer = asking.open();
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("retry-after")).hasValue("7");
            try (InputStream in = answer.body()) {
                assertThat(Json.MAPPER.readTree(in.readAllBytes()))
                        .isEqualTo(wire.dialect().error(429, "Slow down"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHeldAnswerGoesOnWhenItIsReleased(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            Hold hold = new Hold();
            model.next(Script.answer().text("one").hold(hold).text("two"));
            try (InputStream in = asking.open().body()) {
                assertThat(hold.awaitReached(Asking.LIMIT)).isTrue();
                assertThat(model.awaitEnding(model.requests().getFirst(), Duration.ofMillis(50)))
                        .isEmpty();
                hold.release();
                assertThat(new String(in.readAllBytes(), UTF_8)).contains("one", "two");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesIsNoticedWhileNothingIsWritten(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            Hold hold = new Hold();
            model.next(Script.answer().text("one").hold(hold).text("two"));
            HttpResponse<InputStream> answer = asking.open();
            assertThat(hold.awaitReached(Asking.LIMIT)).isTrue();
            answer.body().close();
            assertThat(model.awaitClosed(model.requests().getFirst(), Asking.LIMIT))
                    .isTrue();
        }
    }
}
