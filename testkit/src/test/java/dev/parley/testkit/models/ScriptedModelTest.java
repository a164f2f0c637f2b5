package dev.parley.testkit.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The rules for every provider. */
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
    void aCutAnswerBreaksOffAfterItsDeltas(Wire wire) throws IOException {
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

    @ParameterizedTest
    @EnumSource
    void aSilentModelAnswersNothingUntilItsClientLeaves(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                RawHttp raw = RawHttp.connect(URI.create(model.origin()), Asking.LIMIT)) {
            model.next(Script.answer().silent());
            raw.send(post(wire));
            await().atMost(Asking.LIMIT).until(() -> model.requests().size() == 1);
            assertThat(model.awaitEnding(model.requests().getFirst(), Duration.ofMillis(50)))
                    .isEmpty();
            raw.close();
            assertThat(model.awaitClosed(model.requests().getFirst(), Asking.LIMIT))
                    .isTrue();
        }
    }

    @Test
    void closingTheServerHangsUpOnWaitingClients() throws IOException {
        ScriptedModel model = ScriptedModel.start(Wire.OLLAMA);
        try (RawHttp raw = RawHttp.connect(URI.create(model.origin()), Asking.LIMIT)) {
            model.next(Script.answer().silent());
            raw.send(post(Wire.OLLAMA));
            await().atMost(Asking.LIMIT).until(() -> model.requests().size() == 1);
            model.close();
            assertThat(raw.peerCloses()).isTrue();
        } finally {
            model.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionTakesOneRequestAfterTheOther(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                RawHttp raw = RawHttp.connect(URI.create(model.origin()), Asking.LIMIT)) {
            model.next(Script.answer().text("first"), Script.answer().text("second"));
            raw.send(post(wire));
            assertThat(raw.readAnswer().text()).contains("first");
            raw.send(post(wire));
            assertThat(raw.readAnswer().text()).contains("second");
        }
    }

    private static String post(Wire wire) {
        String body = Asking.request(wire, true);
        return "POST " + wire.basePath() + Asking.path(wire, true) + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer key\r\nx-goog-api-key: key\r\nanthropic-version: 2023-06-01\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    @ParameterizedTest
    @EnumSource
    void brokenJsonStandsInTheMiddleOfTheAnswer(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("one").malformed().text("two"));
            assertThatThrownBy(asking::frames).isInstanceOf(JacksonException.class);
            model.next(Script.answer().text("one").malformed().text("two"));
            assertThat(String.join("\n", asking.lines())).containsSubsequence("one", "two");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anErrorInTheStreamIsTheLastFrame(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer()
                    .text("one")
                    .errorInStream("UNAVAILABLE", "Overloaded")
                    .text("two"));
            List<JsonNode> frames = asking.frames();
            assertThat(frames.getLast().has("error")).isTrue();
            assertThat(frames.getLast().toString()).contains("Overloaded");
            assertThat(frames.toString()).doesNotContain("two");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSlowAnswerTakesItsTimeForEachDelta(Wire wire) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(wire);
                Asking asking = new Asking(model)) {
            model.next(Script.answer().text("a", "b", "c").slow(Duration.ofMillis(30)));
            long began = System.nanoTime();
            assertThat(String.join("\n", asking.lines())).containsSubsequence("a", "b", "c");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(90));
        }
    }
}
