package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Hold;
import dev.parley.testkit.models.ModelRequest;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries of model requests, and the cancellation of a run at any moment. */
class ModelRetryTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @AutoClose
    private static final RunningServer server = ModelFixture.server();

    private static ModelRequest first(ModelFixture asked) {
        await().atMost(LIMIT).until(() -> !asked.model().requests().isEmpty());
        return asked.model().requests().getFirst();
    }

    private static void assertCancelled(ModelFixture asked) {
        assertThat(asked.caller()
                        .api()
                        .post("/api/v1/agent/threads/" + asked.thread() + "/runs/r/cancel", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(asked.caller()
                        .follow(asked.thread(), "r")
                        .getLast()
                        .data()
                        .at("/outcome/type")
                        .asString())
                .isEqualTo("cancelled");
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void retryAfterIsFollowed(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().status(429, Map.of("Retry-After", "1"), "Slow down"),
                            Script.answer().text("Here."));
            long before = System.nanoTime();
            assertThat(ModelFixture.said(asked.ask("r", "Hi"))).isEqualTo("Here.");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(asked.requests()).hasSize(2);
            assertThat(asked.requests().getLast().raw())
                    .isEqualTo(asked.requests().getFirst().raw());
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void requestIsMadeThreeTimesAtMost(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().otherwise(request -> Script.answer().status(500, Map.of(), "Broken"));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_overloaded");
            assertThat(asked.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 502, 503, 529})
    void temporaryStatusIsRetried(int status) {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model()
                    .next(
                            Script.answer().status(status, Map.of(), "Later"),
                            Script.answer().text("Here."));
            assertThat(ModelFixture.said(asked.ask("r", "Hi"))).isEqualTo("Here.");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void cutBeforeTheFirstTextIsRetried(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model()
                    .next(Script.answer().text("x").cutAfter(0), Script.answer().text("Here."));
            assertThat(ModelFixture.said(asked.ask("r", "Hi"))).isEqualTo("Here.");
            assertThat(asked.requests()).hasSize(2);
        }
    }

    @Test
    void retryAfterThatIsTooLongFailsTheRun() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.ANTHROPIC, Map.of())) {
            asked.model().next(Script.answer().status(429, Map.of("Retry-After", "31"), "Slow down"));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_rate_limited");
            assertThat(asked.requests()).hasSize(1);
        }
    }

    @Test
    void insufficientQuotaIsNotRetried() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().next(Script.answer().status(429, Map.of(), "insufficient_quota"));
            assertThat(asked.failure("r").get("code").asString()).isEqualTo("model_rate_limited");
            assertThat(asked.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void cancelBeforeTheFirstWordClosesTheConnection(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().silent());
            asked.start(asked.input("r", "Hi"));
            ModelRequest request = first(asked);
            assertCancelled(asked);
            assertThat(asked.model().awaitClosed(request, LIMIT)).isTrue();
            assertThat(asked.model().requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void cancelInTheMiddleClosesTheConnectionAndKeepsTheText(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            Hold hold = new Hold();
            asked.model().next(Script.answer().text("One ").hold(hold).text("two"));
            asked.start(asked.input("r", "Hi"));
            asked.caller()
                    .frames(
                            "/api/v1/agent/runs/" + asked.thread() + "/events?runId=r",
                            frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
            assertCancelled(asked);
            assertThat(asked.model().awaitClosed(first(asked), LIMIT)).isTrue();
            assertThat(asked.model().requests()).hasSize(1);
            assertThat(asked.caller()
                            .messages(asked.thread())
                            .getLast()
                            .get("content")
                            .asString())
                    .isEqualTo("One ");
        }
    }

    @Test
    void cancelEndsTheWaitBeforeAnotherTry() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().next(Script.answer().status(429, Map.of("Retry-After", "30"), "Slow down"));
            asked.start(asked.input("r", "Hi"));
            first(asked);
            assertCancelled(asked);
            assertThat(asked.model().requests()).hasSize(1);
        }
    }
}
