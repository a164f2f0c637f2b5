package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slack's published example of a signature, and variations of it. */
class SlackSignatureTest {
    private static final String TIMESTAMP = "1531420618";
    private static final String SIGNATURE = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    private static final String BODY = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
            + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
            + "&command=%2Fwebhook-collect&text="
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
            + "%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

    private final TestClock clock = TestClock.at(Instant.ofEpochSecond(1_531_420_618));
    private final SlackSignature signature =
            new SlackSignature("8f742231b10e8888abcd99yyyzzz85a5".getBytes(StandardCharsets.UTF_8), clock);

    private static InboundRequest request(Map<String, String> headers, String body) {
        return InboundRequest.of(
                "slack/events",
                Map.of(),
                name -> Optional.ofNullable(headers.get(name)),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private static InboundRequest signed(String timestamp, String signature, String body) {
        return request(Map.of("X-Slack-Request-Timestamp", timestamp, "X-Slack-Signature", signature), body);
    }

    private void assertRefused(InboundRequest request) {
        assertThatThrownBy(() -> signature.require(request))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.UNAUTHENTICATED));
    }

    @Test
    void thePublishedExamplePasses() {
        assertThatCode(() -> signature.require(signed(TIMESTAMP, SIGNATURE, BODY)))
                .doesNotThrowAnyException();
    }

    @Test
    void otherBodyTimeOrSecretIsRefused() {
        assertRefused(signed(TIMESTAMP, SIGNATURE, BODY + " "));
        assertRefused(signed("1531420619", SIGNATURE, BODY));
        assertRefused(signed(TIMESTAMP, SIGNATURE.replace('5', '6'), BODY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "v0=",
                "v0",
                "v1=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
                "✓",
                "v0=zz"
            })
    void malformedSignatureIsRefused(String garbled) {
        assertRefused(signed(TIMESTAMP, garbled, BODY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "-1531420618", "1531420618.5", " 1531420618", "99999999999999999999", "١٥٣١"})
    void malformedTimeIsRefused(String garbled) {
        assertRefused(signed(garbled, SIGNATURE, BODY));
    }

    @Test
    void bothHeadersAreNeeded() {
        assertRefused(request(Map.of(), BODY));
        assertRefused(request(Map.of("X-Slack-Signature", SIGNATURE), BODY));
        assertRefused(request(Map.of("X-Slack-Request-Timestamp", TIMESTAMP), BODY));
    }

    @Test
    void fiveMinutesEitherWayPassAndMoreDoNot() {
        for (long apart : new long[] {-300, 300}) {
            clock.set(Instant.ofEpochSecond(1_531_420_618 + apart));
            assertThatCode(() -> signature.require(signed(TIMESTAMP, SIGNATURE, BODY)))
                    .doesNotThrowAnyException();
        }
        for (long apart : new long[] {-301, 301, 86_400}) {
            clock.set(Instant.ofEpochSecond(1_531_420_618 + apart));
            assertRefused(signed(TIMESTAMP, SIGNATURE, BODY));
        }
    }
}
